// A review under way, and its result, bound to the moves that it is about.
import {batch, computed, signal} from '@preact/signals';
import {EngineStopped, type EngineApi, type GameReview, type ReviewedMove, type Side} from '../../engine/api';
import type {LiveAnalysis} from '../logic/live';
import {mainLine, type GameTree, type TreeNode} from '../logic/tree';

export interface Reviewed {
  nodes: TreeNode[]; // after move i
  review: GameReview;
  first: Side; // who makes the first of the moves
}

export const depths = {quick: 200, normal: 800, deep: 3200} as const;
export type Depth = keyof typeof depths;

export class ReviewJob {
  readonly running = signal(false);
  readonly progress = signal({done: 0, total: 0});
  readonly failed = signal(false);
  readonly result = signal<Reviewed | null>(null);
  // By the id of the node after the move.
  readonly byNode = computed(() => {
    const {nodes, review} = this.result.value ?? {nodes: [], review: null};
    return new Map<number, ReviewedMove>(nodes.map((node, i) => [node.id, review!.moves[i]!]));
  });

  private job = 0;

  constructor(
    private readonly engine: EngineApi,
    private readonly live: LiveAnalysis,
  ) {}

  async start(tree: GameTree, first: Side, depth: Depth): Promise<void> {
    const nodes = mainLine(tree);
    if (!nodes.length) return;
    const job = ++this.job;
    const release = this.live.hold();
    batch(() => {
      this.running.value = true;
      this.failed.value = false;
      this.result.value = null;
      this.progress.value = {done: 0, total: nodes.length + 1};
    });
    try {
      const review = await this.engine.review(tree.spec(nodes.at(-1)!), depths[depth], (done, total) => {
        if (job === this.job) this.progress.value = {done, total};
      });
      if (job === this.job && review.moves.length === nodes.length)
        this.result.value = {nodes, review, first};
    } catch (error) {
      if (job === this.job && !(error instanceof EngineStopped)) this.failed.value = true;
    } finally {
      if (job === this.job) this.running.value = false;
      release();
    }
  }

  cancel(): void {
    if (!this.running.value) return;
    this.job++;
    this.running.value = false;
    this.engine.stop();
  }

  forget(): void {
    this.cancel();
    this.result.value = null;
    this.failed.value = false;
  }
}
