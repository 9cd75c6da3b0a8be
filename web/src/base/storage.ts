// What is kept on the device. Storage may be forbidden, full or hold what another version of the page
// wrote; the page works all the same, and forgets.
import {effect, signal, type Signal} from '@preact/signals';

const prefix = 'toguz.';

// Whether something could not be kept.
export const storageFailed = signal(false);

export function stored(name: string): unknown {
  try {
    const text = localStorage.getItem(prefix + name);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function store(name: string, value: unknown): boolean {
  try {
    localStorage.setItem(prefix + name, JSON.stringify(value));
    storageFailed.value = false;
    return true;
  } catch {
    storageFailed.value = true;
    return false;
  }
}

export function forget(name: string): void {
  try {
    localStorage.removeItem(prefix + name);
  } catch {
    // Nothing is kept then.
  }
}

// A signal whose value is kept. What was stored counts only if it `fits`.
export function kept<T>(name: string, initial: T, fits: (value: unknown) => value is T): Signal<T> {
  const found = stored(name);
  const value = signal(fits(found) ? found : initial);
  let first = true;
  effect(() => {
    const now = value.value;
    if (!first) store(name, now);
    first = false;
  });
  return value;
}

export const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

export function isOneOf<T extends string>(values: readonly T[]): (value: unknown) => value is T {
  return (value): value is T => values.includes(value as T);
}
