// What a screen reader is to say, without moving the focus.
import {signal} from '@preact/signals';

// Two regions in turn: the same words twice are said twice.
const said = signal<[string, string]>(['', '']);
let turn = 0;

export function announce(words: string): void {
  turn = 1 - turn;
  said.value = turn === 0 ? [words, ''] : ['', words];
}

export function Announcer() {
  return (
    <>
      {said.value.map((words, i) => (
        <div key={i} class="unseen" aria-live="polite" role="status" data-testid={`announcer-${i}`}>
          {words}
        </div>
      ))}
    </>
  );
}
