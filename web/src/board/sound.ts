// Sounds made on the spot: a ball on wood, a capture, a tuzdik, the end.
import {soundOn} from './settings';
import type {Shown} from './sower';

let context: AudioContext | null = null;

function audio(): AudioContext | null {
  if (!soundOn.value) return null;
  try {
    context ??= new AudioContext();
    if (context.state === 'suspended') void context.resume();
    return context;
  } catch {
    return null; // no device to sound
  }
}

interface Tone {
  hz: number;
  at?: number; // seconds from now
  lasts?: number;
  loud?: number;
  kind?: OscillatorType;
}

function tone(out: AudioContext, {hz, at = 0, lasts = 0.09, loud = 0.2, kind = 'sine'}: Tone): void {
  const start = out.currentTime + at;
  const oscillator = out.createOscillator();
  const gain = out.createGain();
  oscillator.type = kind;
  oscillator.frequency.setValueAtTime(hz, start);
  oscillator.frequency.exponentialRampToValueAtTime(hz * 0.7, start + lasts);
  gain.gain.setValueAtTime(loud, start);
  gain.gain.exponentialRampToValueAtTime(0.0005, start + lasts);
  oscillator.connect(gain).connect(out.destination);
  oscillator.start(start);
  oscillator.stop(start + lasts);
}

function knock(out: AudioContext, at = 0, pitch = 1): void {
  tone(out, {hz: 1150 * pitch, at, lasts: 0.05, loud: 0.16, kind: 'triangle'});
  tone(out, {hz: 320 * pitch, at, lasts: 0.07, loud: 0.2});
}

export function soundOfFrame({frame, step}: Shown): void {
  const out = audio();
  if (!out) return;
  if (step === 0) return knock(out, 0, 0.6);
  if (!frame.capture) return knock(out, 0, 0.92 + 0.16 * Math.random());
  for (let i = 0; i < 5; ++i) knock(out, i * 0.055, 0.8 + i * 0.08);
}

export function soundOfMove(captured: boolean): void {
  const out = audio();
  if (!out) return;
  knock(out);
  if (captured) knock(out, 0.07, 1.2);
}

export function soundOfTuzdik(): void {
  const out = audio();
  if (!out) return;
  [523, 659, 784].forEach((hz, i) => tone(out, {hz, at: i * 0.11, lasts: 0.5, loud: 0.12}));
}

export function soundOfEnd(): void {
  const out = audio();
  if (!out) return;
  [392, 523, 659, 784].forEach((hz, i) => tone(out, {hz, at: i * 0.14, lasts: 0.8, loud: 0.1}));
}
