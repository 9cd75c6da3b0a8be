// The mistakes of a game played again: the position before each, and a better move to be found.
import {batch, signal, type ReadonlySignal} from '@preact/signals';
import {EngineStopped, type ReviewedMove, type Side} from '../../engine/api';
import type {StudySession} from '../session';
import {judge, lessons, moverOf} from './findings';
import type {Reviewed} from './job';

export type Phase = 'ask' | 'thinking' | 'best' | 'good' | 'again' | 'bad' | 'shown';

export interface LessonState {
  places: readonly number[]; // indices of the moves
  at: number; // in places
  phase: Phase;
  tried: {pit: number; move: string} | null;
}

const checkNodes = 1200;
const open: readonly Phase[] = ['ask', 'again', 'bad'];

export class Lesson {
  private readonly current = signal<LessonState | null>(null);
  readonly state: ReadonlySignal<LessonState | null> = this.current;
  private reviewed: Reviewed | null = null;
  private release = () => {};
  private job = 0;

  constructor(private readonly session: StudySession) {}

  // Whether there is anything to learn.
  start(reviewed: Reviewed, side: Side | null): boolean {
    const places = lessons(reviewed.review, reviewed.first, side);
    if (!places.length) return false;
    this.end();
    this.reviewed = reviewed;
    this.release = this.session.live.hold();
    this.ask(places, 0);
    return true;
  }

  end(): void {
    this.job++;
    this.current.value = null;
    this.reviewed = null;
    this.release();
    this.release = () => {};
  }

  get move(): ReviewedMove | null {
    const {value} = this.current;
    return value && this.reviewed ? this.reviewed.review.moves[value.places[value.at]!]! : null;
  }

  get mover(): Side {
    const {value} = this.current;
    return value && this.reviewed ? moverOf(value.places[value.at]!, this.reviewed.first) : 0;
  }

  // Whether the board takes a move for an answer.
  get asks(): boolean {
    const {value} = this.current;
    return value !== null && open.includes(value.phase);
  }

  async attempt(pit: number): Promise<void> {
    const lesson = this.move;
    if (!lesson || !this.asks) return;
    const job = ++this.job;
    const {session} = this;
    const game = session.spec();
    const move = session.rules.state({...game, moves: [...game.moves, pit]}).moves.at(-1) ?? String(pit);
    const put = (phase: Phase) => {
      if (job === this.job && this.current.value)
        this.current.value = {...this.current.value, phase, tried: {pit, move}};
    };
    // The board shows the answer, the game's tree keeps it.
    const answered = (phase: Phase) =>
      batch(() => {
        put(phase);
        if (job === this.job && (phase === 'best' || phase === 'good')) session.play(pit);
      });
    const sure = judge(pit, lesson, () => null);
    if (sure !== 'bad') return answered(sure);
    put('thinking');
    try {
      const {lines} = await session.engine.think(game, {nodes: checkNodes, lines: 9});
      answered(judge(pit, lesson, (one) => lines.find((line) => line.pits[0] === one)?.winRate ?? null));
    } catch (error) {
      if (!(error instanceof EngineStopped)) put('bad');
      else put('ask');
    }
  }

  show(): void {
    const {value} = this.current;
    const lesson = this.move;
    if (!value || !lesson || !this.asks) return;
    this.job++;
    batch(() => {
      this.current.value = {...value, phase: 'shown'};
      this.session.play(lesson.best);
    });
  }

  next(): void {
    const {value} = this.current;
    if (!value) return;
    if (value.at + 1 < value.places.length) this.ask(value.places, value.at + 1);
    else this.end();
  }

  // The same one again.
  retry(): void {
    const {value} = this.current;
    if (value) this.ask(value.places, value.at);
  }

  private ask(places: readonly number[], at: number): void {
    this.job++;
    batch(() => {
      this.current.value = {places, at, phase: 'ask', tried: null};
      this.session.goTo(this.reviewed!.nodes[places[at]!]!.parent);
    });
  }
}
