// The game that is being studied: its tree, where one stands in it, and what is known about it. It
// outlives the view, so that one can play and come back.
import {batch, computed, effect, signal, type ReadonlySignal, type Signal} from '@preact/signals';
import {kept} from '../base/storage';
import type {EngineApi, GameSpec, MoveFacts, RulesApi, State, Variant} from '../engine/api';
import {LiveAnalysis} from './logic/live';
import type {Numbering} from './logic/move_list';
import {GameTree, lineEnd, mainLine, path, type TreeNode} from './logic/tree';
import {ReviewJob} from './review/job';

export type Tags = Record<string, string>;
export interface OpenedGame {
  game: GameSpec;
  tags?: Tags;
}

const nothing: OpenedGame = {game: {variant: 'standard', moves: []}, tags: {}};

// Only the shape: whether the moves are legal the rules say when it is opened.
function isOpened(value: unknown): value is OpenedGame {
  const {game, tags} = (value ?? {}) as {game?: Partial<GameSpec>; tags?: unknown};
  return (
    typeof game === 'object' &&
    game !== null &&
    Array.isArray(game.moves) &&
    game.moves.length <= 2000 &&
    typeof tags === 'object' &&
    tags !== null &&
    Object.values(tags).every((tag) => typeof tag === 'string')
  );
}

export class StudySession {
  readonly tree: ReadonlySignal<GameTree>;
  readonly node: ReadonlySignal<TreeNode>;
  readonly tags = signal<Tags>({});
  // Grows whenever the tree does.
  readonly version = signal(0);
  readonly state: ReadonlySignal<State>;
  readonly live: LiveAnalysis;
  readonly review: ReviewJob;

  // Whether the last change was a step through the game, not a move that was made.
  readonly stepped = signal(false);

  private opened: readonly number[] = [];
  private readonly models = new Map<Variant, boolean>();
  private away: (() => void) | null;
  private readonly currentTree: Signal<GameTree>;
  private readonly currentNode: Signal<TreeNode>;
  private readonly saved = kept<OpenedGame>('study.game', nothing, isOpened);

  constructor(
    readonly rules: RulesApi,
    readonly engine: EngineApi,
  ) {
    const tree = new GameTree('standard');
    this.tree = this.currentTree = signal(tree);
    this.node = this.currentNode = signal(tree.root);
    this.state = computed(() => rules.state(this.spec()));
    this.live = new LiveAnalysis(engine);
    this.review = new ReviewJob(engine, this.live);
    this.away = this.live.hold();
    try {
      this.open(this.saved.value);
    } catch {
      this.open(nothing);
    }
    effect(() => {
      const {fen, turn, over} = this.state.value;
      this.live.show({game: this.spec(), fen, turn, over});
    });
  }

  // While someone looks, the engine is at work, if it is on.
  arrive(): () => void {
    const onVisible = () => (document.hidden ? this.leave() : this.come());
    document.addEventListener('visibilitychange', onVisible);
    onVisible();
    return () => {
      document.removeEventListener('visibilitychange', onVisible);
      this.leave();
    };
  }

  private come(): void {
    this.away?.();
    this.away = null;
  }
  private leave(): void {
    this.away ??= this.live.hold();
  }

  // Throws EngineError if the moves are not legal.
  open({game, tags = {}}: OpenedGame): void {
    const {moves} = this.rules.state(game);
    const tree = GameTree.of(game, moves);
    batch(() => {
      this.review.forget();
      this.tags.value = tags;
      this.opened = game.moves;
      this.currentTree.value = tree;
      this.currentNode.value = tree.root;
      this.version.value++;
    });
    this.save();
  }

  spec(at: TreeNode = this.node.value): GameSpec {
    return this.tree.value.spec(at);
  }

  mainSpec(): GameSpec {
    return this.spec(lineEnd(this.tree.value.root));
  }

  // What the record says, as long as the game is the one that was opened.
  result(): string | undefined {
    const {moves} = this.mainSpec();
    const same = moves.length === this.opened.length && moves.every((pit, i) => pit === this.opened[i]);
    return same ? this.tags.value.Result : undefined;
  }

  // The state at the root: who begins, and with which number.
  start(): State {
    return this.rules.state(this.spec(this.tree.value.root));
  }

  // Whether the engine has a network for the game on the board.
  hasModel(): boolean {
    const {variant} = this.tree.value;
    const known = this.models.get(variant) ?? this.engine.model(variant) !== null;
    this.models.set(variant, known);
    return known;
  }

  facts(at: TreeNode, pit: number): MoveFacts {
    return this.rules.facts(this.spec(at), pit);
  }

  play(pit: number): void {
    this.playLine([pit]);
  }

  // From where one stands; ends quietly at a move that is not legal.
  playLine(pits: readonly number[]): void {
    batch(() => {
      this.stepped.value = false;
      for (const pit of pits) {
        const state = this.rules.state(this.spec());
        if (!state.legal.includes(pit)) break;
        const at = this.node.value;
        const {moves} = this.rules.state({...this.spec(), moves: [...this.spec().moves, pit]});
        this.currentNode.value = this.tree.value.add(at, pit, moves.at(-1) ?? String(pit));
      }
      this.version.value++;
    });
    this.save();
  }

  goTo(node: TreeNode | null | undefined): void {
    if (!node) return;
    batch(() => {
      this.stepped.value = true;
      this.currentNode.value = node;
    });
  }

  // On the main line.
  goToPly(ply: number): void {
    this.goTo(ply <= 0 ? this.tree.value.root : mainLine(this.tree.value)[ply - 1]);
  }

  forward(): void {
    this.goTo(this.node.value.children[0]);
  }
  back(): void {
    this.goTo(this.node.value.parent);
  }
  toStart(): void {
    this.goTo(this.tree.value.root);
  }
  toEnd(): void {
    this.goTo(lineEnd(this.node.value));
  }

  promote(node: TreeNode): void {
    this.tree.value.promote(node);
    this.version.value++;
    this.save();
  }

  remove(node: TreeNode): void {
    const stands = path(this.node.value).includes(node);
    const to = this.tree.value.remove(node);
    batch(() => {
      if (this.review.byNode.value.has(node.id)) this.review.forget();
      if (stands) this.goTo(to);
      this.version.value++;
    });
    this.save();
  }

  private save(): void {
    this.saved.value = {game: this.mainSpec(), tags: this.tags.value};
  }
}

export function numbering(session: StudySession): Numbering {
  const {fen, turn} = session.start();
  return {fullmove: Number(/(\d+)\s*$/.exec(fen)?.[1] ?? 1), second: turn === 1};
}
