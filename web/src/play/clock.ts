import {signal, type ReadonlySignal} from '@preact/signals';
import type {Side} from '../engine/api';
import type {TimeControl} from './setup';

export type Left = [number, number]; // ms

export const startTimes = ({minutes}: TimeControl): Left => [minutes * 60_000, minutes * 60_000];

// Two clocks, of which at most one runs.
export class Clock {
  private left: Left;
  private since = 0;
  private readonly current = signal<Side | null>(null);
  readonly running: ReadonlySignal<Side | null> = this.current;

  constructor(
    private readonly time: TimeControl,
    left: Left | null,
    private readonly now: () => number,
  ) {
    // An increment alone: the first move is made within it.
    this.left = left ? [...left] : startTimes(time);
    if (time.minutes === 0 && !left) this.left = [time.increment * 1000, time.increment * 1000];
  }

  get incrementMs(): number {
    return this.time.increment * 1000;
  }

  of(side: Side): number {
    const gone = this.current.peek() === side ? this.now() - this.since : 0;
    return Math.max(0, this.left[side] - gone);
  }

  both(): Left {
    return [this.of(0), this.of(1)];
  }

  start(side: Side): void {
    if (this.current.peek() === side) return;
    this.stop();
    this.since = this.now();
    this.current.value = side;
  }

  stop(): void {
    this.left = this.both();
    this.current.value = null;
  }

  // After a move of `side`: its clock stops and gets the increment.
  press(side: Side): void {
    this.stop();
    this.left[side] += this.incrementMs;
  }

  set(left: Left): void {
    this.current.value = null;
    this.left = [...left];
  }
}

// "1:04:09", "4:09", and under ten seconds "9.3".
export function clockText(ms: number): string {
  if (ms < 10_000) return (Math.floor(ms / 100) / 10).toFixed(1);
  const seconds = Math.ceil(ms / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}
