// The engine in its worker, as the page sees it.
import type {EngineApi, GameReview, GameSpec, SearchInfo, SearchLimits, SearchResult, Variant} from './api';
import {EngineError, EngineStopped} from './api';
import {embeddedModel} from './embedded';
import type {FromWorker, Job, ToWorker} from './messages';
import EngineWorker from './worker?worker&inline';

interface Pending {
  id: number;
  kind: Job['kind'];
  resolve(answer: never): void;
  reject(error: Error): void;
  onInfo?: (info: SearchInfo) => void;
  onProgress?: (at: number, total: number) => void;
}

export class EngineClient implements EngineApi {
  private readonly worker: Worker;
  private readonly sent = new Set<Variant>();
  private pending: Pending | null = null;
  private next = 1;

  constructor(module: WebAssembly.Module) {
    this.worker = new EngineWorker();
    this.worker.onmessage = ({data}: MessageEvent<FromWorker>) => this.hear(data);
    this.worker.onerror = (event) => this.fail(new EngineError(event.message || 'the engine broke down'));
    this.send({to: 'start', module});
  }

  model(variant: Variant): {name: string; id: string} | null {
    const model = embeddedModel(variant);
    return model && {name: model.name, id: model.id};
  }

  think(game: GameSpec, limits: SearchLimits, onInfo?: (info: SearchInfo) => void): Promise<SearchResult> {
    this.prepare(game.variant);
    // A level below the last draws among its moves: another draw each time.
    const seed = limits.seed ?? ((limits.level ?? 10) < 10 ? Math.floor(Math.random() * 2 ** 32) : 1);
    return this.start({kind: 'think', game: plain(game), limits: {...limits, seed}}, {onInfo});
  }

  // A review has nothing to show before its end.
  stop(): void {
    if (this.pending?.kind === 'review') this.cancel();
    else if (this.pending) this.send({to: 'finish', id: this.pending.id});
  }

  review(
    game: GameSpec,
    nodes: number,
    onProgress?: (at: number, total: number) => void,
  ): Promise<GameReview> {
    this.prepare(game.variant);
    return this.start({kind: 'review', game: plain(game), nodes}, {onProgress});
  }

  // Ends whatever is under way; its promise rejects with EngineStopped.
  cancel(): void {
    if (!this.pending) return;
    this.send({to: 'drop', id: this.pending.id});
    this.fail(new EngineStopped('the engine was given something else to do'));
  }

  signature(variant: Variant): Promise<string> {
    return this.start({kind: 'signature', variant}, {});
  }

  // A worker takes a second to read a model: not before its game is played.
  private prepare(variant: Variant): void {
    if (this.sent.has(variant)) return;
    this.sent.add(variant);
    const model = embeddedModel(variant);
    if (model) this.send({to: 'model', base64: model.text});
  }

  private start<T>(job: Job, listeners: Pick<Pending, 'onInfo' | 'onProgress'>): Promise<T> {
    this.cancel();
    const id = this.next++;
    return new Promise<T>((resolve, reject) => {
      this.pending = {id, kind: job.kind, resolve, reject, ...listeners};
      this.send({to: 'job', id, job});
    });
  }

  private hear(message: FromWorker): void {
    const pending = this.pending;
    if (!pending || pending.id !== message.id) return; // of a job that was dropped
    switch (message.from) {
      case 'info':
        return pending.onInfo?.(message.info);
      case 'progress':
        return pending.onProgress?.(message.at, message.total);
      case 'done':
        this.pending = null;
        return pending.resolve(message.answer as never);
      case 'failed':
        return this.fail(new EngineError(message.error));
    }
  }

  private fail(error: Error): void {
    const pending = this.pending;
    this.pending = null;
    pending?.reject(error);
  }

  private send(message: ToWorker): void {
    this.worker.postMessage(message);
  }
}

// Signals and proxies cannot be posted.
function plain(game: GameSpec): GameSpec {
  return {variant: game.variant, ...(game.fen ? {fen: game.fen} : {}), moves: [...game.moves]};
}
