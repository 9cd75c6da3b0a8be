// The engine's thread. A job is done slice by slice; between two of them the messages that came in
// are heard, so that a stop waits for a slice at most.
import type {GameReview, SearchInfo, SearchResult} from './api';
import {unpack} from './embedded';
import type {FromWorker, Job, ToWorker} from './messages';
import {EngineModule} from './module';

const sliceMs = 50;

type Reply = {
  done: boolean;
  info?: SearchInfo;
  result?: SearchResult;
  at?: number;
  total?: number;
  review?: GameReview;
};

let engine: EngineModule | null = null;
let broken: string | null = null; // why the engine did not start
let current: {id: number; job: Job} | null = null;
const waiting: ToWorker[] = [];
const turn = new MessageChannel();

const post = (message: FromWorker) => self.postMessage(message);

function settle(id: number, reply: Reply): void {
  if (reply.at !== undefined) post({from: 'progress', id, at: reply.at, total: reply.total ?? 0});
  if (reply.done) {
    current = null;
    post({from: 'done', id, answer: (reply.result ?? reply.review)!});
    return;
  }
  if (reply.info) post({from: 'info', id, info: reply.info});
  turn.port2.postMessage(id);
}

function attempt(id: number, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (current?.id === id) current = null;
    post({from: 'failed', id, error: error instanceof Error ? error.message : String(error)});
  }
}

function begin(id: number, job: Job): void {
  current = {id, job};
  attempt(id, () => {
    if (job.kind === 'signature') {
      current = null;
      post({from: 'done', id, answer: engine!.call<string>({do: 'signature', variant: job.variant})});
    } else if (job.kind === 'think') {
      settle(id, engine!.call<Reply>({do: 'think', game: job.game, limits: job.limits, slice: sliceMs}));
    } else {
      settle(id, engine!.call<Reply>({do: 'review', game: job.game, nodes: job.nodes, slice: sliceMs}));
    }
  });
}

turn.port1.onmessage = ({data: id}: MessageEvent<number>) => {
  if (current?.id === id) attempt(id, () => settle(id, engine!.call<Reply>({do: 'more'})));
};

function hear(message: ToWorker): void {
  switch (message.to) {
    case 'start':
      return;
    case 'model':
      try {
        engine!.model(unpack(message.base64));
      } catch (error) {
        // Without it the engine plays by playouts; the page is told by the next job.
        console.error(error);
      }
      return;
    case 'job':
      return begin(message.id, message.job);
    case 'finish':
      if (current?.id === message.id && current.job.kind === 'think')
        attempt(message.id, () => settle(message.id, engine!.call<Reply>({do: 'finish'})));
      return;
    case 'drop':
      if (current?.id === message.id) current = null;
  }
}

function refuse(message: ToWorker): void {
  if (message.to === 'job') post({from: 'failed', id: message.id, error: broken!});
}

self.onmessage = ({data}: MessageEvent<ToWorker>) => {
  if (data.to === 'start') {
    EngineModule.start(data.module).then(
      (started) => {
        engine = started;
        waiting.splice(0).forEach(hear);
      },
      (error) => {
        broken = error instanceof Error ? error.message : String(error);
        waiting.splice(0).forEach(refuse);
      },
    );
  } else if (broken) {
    refuse(data);
  } else if (engine) {
    hear(data);
  } else {
    waiting.push(data);
  }
};
