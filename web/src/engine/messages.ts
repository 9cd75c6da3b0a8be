// What the page and its worker post to each other.
import type {GameReview, GameSpec, SearchInfo, SearchLimits, SearchResult, Variant} from './api';

export type Job =
  | {kind: 'think'; game: GameSpec; limits: SearchLimits}
  | {kind: 'review'; game: GameSpec; nodes: number}
  | {kind: 'signature'; variant: Variant};

export type ToWorker =
  | {to: 'start'; module: WebAssembly.Module}
  | {to: 'model'; base64: string}
  | {to: 'job'; id: number; job: Job}
  // The job under way: its answer now, or none at all.
  | {to: 'finish'; id: number}
  | {to: 'drop'; id: number};

export type FromWorker =
  | {from: 'info'; id: number; info: SearchInfo}
  | {from: 'progress'; id: number; at: number; total: number}
  | {from: 'done'; id: number; answer: SearchResult | GameReview | string}
  | {from: 'failed'; id: number; error: string};
