// Shows a sowing ball by ball: gives the frame to be drawn now, and the pace.
import {signal, type ReadonlySignal} from '@preact/signals';
import type {Side, SowingFrame} from '../engine/api';
import type {Speed} from './settings';

export interface Shown {
  frame: SowingFrame;
  before: SowingFrame | null; // the frame before
  by: Side;
  from: number; // square that was played
  step: number; // 0: the balls are taken up
  stepMs: number;
}

// A ball at each speed; taking up and capturing take longer, to be seen.
const ballMs: Record<Speed, number> = {slow: 620, normal: 300, fast: 120, instant: 0};
const takeUp = 1.4;
const capture = 2.4;

export function stepMs(frames: readonly SowingFrame[], step: number, speed: Speed): number {
  const frame = frames[step]!;
  const share = step === 0 ? takeUp : frame.capture ? capture : 1;
  // The last ball rests before it is seen what it did.
  const last = step > 0 && frame.inHand === 0 && !frame.capture ? 1.3 : 1;
  return ballMs[speed] * share * last;
}

export type FrameListener = (shown: Shown) => void;

export class Sower {
  private readonly current = signal<Shown | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private finish: (() => void) | null = null;

  // Null: nothing is being sown, and the position itself is to be shown.
  readonly shown: ReadonlySignal<Shown | null> = this.current;

  // `onFrame`: sounds.
  constructor(private readonly onFrame: FrameListener = () => {}) {}

  // Ends what was being shown before. Resolves when shown to its end or skipped.
  run(frames: readonly SowingFrame[], by: Side, speed: Speed): Promise<void> {
    this.skip();
    if (speed === 'instant' || frames.length === 0) return Promise.resolve();
    const from = frames[0]!.square;
    return new Promise((resolve) => {
      this.finish = resolve;
      const show = (step: number) => {
        if (step === frames.length) return this.skip();
        const ms = stepMs(frames, step, speed);
        const shown = {frame: frames[step]!, before: frames[step - 1] ?? null, by, from, step, stepMs: ms};
        this.current.value = shown;
        this.onFrame(shown);
        this.timer = setTimeout(() => show(step + 1), ms);
      };
      show(0);
    });
  }

  // Straight to the end.
  skip(): void {
    clearTimeout(this.timer);
    const finish = this.finish;
    this.finish = null;
    this.current.value = null;
    finish?.();
  }
}
