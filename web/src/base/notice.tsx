// One line about something that has just happened, for a few seconds.
import {signal} from '@preact/signals';
import {announce} from './announce';

const shown = signal<{words: string; fault: boolean} | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

export function notify(words: string, fault = false): void {
  clearTimeout(timer);
  shown.value = {words, fault};
  announce(words);
  timer = setTimeout(() => (shown.value = null), fault ? 8000 : 4000);
}

export function Notice() {
  if (!shown.value) return null;
  return (
    <div class={`notice${shown.value.fault ? ' notice-fault' : ''}`} data-testid="notice">
      {shown.value.words}
    </div>
  );
}
