// The game as a file.
import {endingWords, playerName} from './words';
import type {PlaySession} from './session';

export function pgnOf(session: PlaySession): string {
  const game = session.game.peek();
  const {setup, rules} = game;
  const ending = game.ending.peek();
  const tags: Record<string, string> = {
    Event: 'Toguz Zero',
    Date: new Date().toISOString().slice(0, 10).replaceAll('-', '.'),
    White: playerName(setup, 0),
    Black: playerName(setup, 1),
  };
  if (setup.time) tags.TimeControl = `${setup.time.minutes * 60}+${setup.time.increment}`;
  if (ending) tags.Termination = endingWords(rules, ending, game.state.peek());
  return session.rules.write(game.spec(), {tags, result: ending?.result ?? '*'});
}

export function download(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], {type: 'text/plain;charset=utf-8'}));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
