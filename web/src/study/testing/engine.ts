// An engine that answers when the test says so.
import type {EngineApi, GameReview, GameSpec, SearchInfo, SearchLimits, SearchResult} from '../../engine/api';
import {EngineStopped} from '../../engine/api';

export interface Job {
  kind: 'think' | 'review';
  game: GameSpec;
  limits: SearchLimits; // of a review: its nodes
  info: (info: SearchInfo) => void;
  progress: (done: number, total: number) => void;
  end: (answer: never) => void;
  fail: (error: Error) => void;
}

export class FakeEngine implements EngineApi {
  readonly jobs: Job[] = [];
  stops = 0;

  get last(): Job {
    return this.jobs.at(-1)!;
  }

  model() {
    return {name: 'fake', id: 'fake'};
  }
  think(
    game: GameSpec,
    limits: SearchLimits,
    info: (info: SearchInfo) => void = () => {},
  ): Promise<SearchResult> {
    return this.start({kind: 'think', game, limits, info, progress: () => {}});
  }
  review(game: GameSpec, nodes: number, progress: Job['progress'] = () => {}): Promise<GameReview> {
    return this.start({kind: 'review', game, limits: {nodes}, info: () => {}, progress});
  }
  stop(): void {
    this.stops++;
  }
  signature(): Promise<string> {
    return Promise.resolve('0');
  }

  private start<T>(job: Omit<Job, 'end' | 'fail'>): Promise<T> {
    this.jobs.at(-1)?.fail(new EngineStopped());
    return new Promise<T>((end, fail) => this.jobs.push({...job, end: end as Job['end'], fail}));
  }
}

export function found(nodes: number, rates: Record<number, number> = {7: 60}): SearchResult {
  const lines = Object.entries(rates)
    .sort(([, a], [, b]) => b - a)
    .map(([pit, winRate]) => ({visits: nodes, winRate, margin: 4, pv: [`${pit}1`], pits: [Number(pit)]}));
  return {nodes, nps: 1, timeMs: 1, lines, best: lines[0]?.pits[0] ?? null, facts: null};
}
