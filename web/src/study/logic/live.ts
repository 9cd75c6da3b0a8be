// The engine at work on whatever position is shown, until it has seen enough of it.
import {computed, signal} from '@preact/signals';
import {EngineStopped, type EngineApi, type GameSpec, type SearchInfo, type Side} from '../../engine/api';

export interface Shown {
  game: GameSpec;
  fen: string;
  turn: Side;
  over: boolean;
}
export interface Evaluation extends SearchInfo {
  fen: string;
  turn: Side;
}

export const mostLines = 5;
const enoughNodes = 200_000;
const kept = 400;
// Someone who leafs through a game should not start a search a move.
const restMs = 120;
// Figures that change more often than this cannot be read.
const paceMs = 150;

export class LiveAnalysis {
  readonly on = signal(false);
  readonly lines = signal(3);
  readonly evaluation = signal<Evaluation | null>(null);
  readonly searching = signal(false);
  readonly failed = signal(false);
  // Whether more nodes can be asked for.
  readonly rested = computed(() => this.on.value && !this.searching.value && this.evaluation.value !== null);

  private readonly known = new Map<string, Evaluation>();
  private shown: Shown | null = null;
  private limit = enoughNodes;
  private holds = 0;
  private job = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly engine: EngineApi) {}

  show(position: Shown): void {
    const same = this.shown?.fen === position.fen && this.shown.game.variant === position.game.variant;
    this.shown = position;
    if (same) return;
    this.limit = enoughNodes;
    this.evaluation.value = this.known.get(keyOf(position)) ?? null;
    this.restart();
  }

  toggle(on = !this.on.value): void {
    this.on.value = on;
    this.restart();
  }

  deeper(): void {
    this.limit = 4 * Math.max(this.limit, this.evaluation.value?.nodes ?? 0);
    this.restart();
  }

  // Lets another job have the engine; the answer ends that.
  hold(): () => void {
    this.holds++;
    this.restart();
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.holds--;
      this.restart();
    };
  }

  dispose(): void {
    this.shown = null;
    this.restart();
  }

  private wanted(): Shown | null {
    const {shown} = this;
    if (!this.on.value || this.holds > 0 || !shown || shown.over) return null;
    return (this.known.get(keyOf(shown))?.nodes ?? 0) < this.limit ? shown : null;
  }

  private restart(): void {
    clearTimeout(this.timer);
    this.job++;
    if (this.searching.value) this.engine.stop();
    this.searching.value = false;
    const shown = this.wanted();
    if (shown) this.timer = setTimeout(() => void this.search(shown), restMs);
  }

  private async search(shown: Shown): Promise<void> {
    const job = ++this.job;
    const speed = speedometer();
    let next = 0;
    const take = (info: SearchInfo, last = false) => {
      if (job !== this.job) return;
      const now = performance.now();
      const nps = speed(info, now);
      if (!last && now < next) return;
      next = now + paceMs;
      this.keep(shown, {...info, nps});
    };
    this.searching.value = true;
    this.failed.value = false;
    try {
      take(
        await this.engine.think(shown.game, {nodes: this.limit, lines: mostLines}, (info) => take(info)),
        true,
      );
    } catch (error) {
      if (job === this.job && !(error instanceof EngineStopped)) this.failed.value = true;
    }
    if (job === this.job) this.searching.value = false;
  }

  // What is known already stays until a new search has seen as much.
  private keep(shown: Shown, info: SearchInfo): void {
    const key = keyOf(shown);
    if (!info.lines.length || info.nodes < (this.known.get(key)?.nodes ?? 0)) return;
    const evaluation = {...info, fen: shown.fen, turn: shown.turn};
    this.known.delete(key);
    this.known.set(key, evaluation);
    if (this.known.size > kept) this.known.delete(this.known.keys().next().value!);
    this.evaluation.value = evaluation;
  }
}

// Nodes a second since the first report: a tree that an earlier search has left does not count.
function speedometer(): (info: SearchInfo, now: number) => number {
  let first: {nodes: number; at: number} | null = null;
  return ({nodes, nps}, now) => {
    first ??= {nodes, at: now};
    const seconds = (now - first.at) / 1000;
    return seconds > 0.2 ? (nodes - first.nodes) / seconds : nps;
  };
}

const keyOf = ({game, fen}: Shown) => `${game.variant} ${fen}`;

// For the first player, whoever is to move.
export interface Verdict {
  winRate: number; // per cent
  margin: number; // final balls ahead
}

export function verdictOf({lines, turn}: Evaluation): Verdict | null {
  const [best] = lines;
  if (!best) return null;
  return turn === 0
    ? {winRate: best.winRate, margin: best.margin}
    : {winRate: 100 - best.winRate, margin: -best.margin};
}
