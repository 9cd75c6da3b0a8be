// Words for what the engine finds wrong with a game or position, which it says in English. What is not
// known here is shown as the engine said it.
import {t} from './index';

// A map: the engine quotes what people wrote, "constructor" too.
const exact = new Map<string, () => string>(
  Object.entries({
    // Position::fault, core/position.cpp.
    'balls outside the board': () => t('fault.outside'),
    "the balls on the board and in the kazans do not add up to the variant's number": () => t('fault.total'),
    'a tuzdik in a variant that has none': () => t('fault.no_tuzdik'),
    "a tuzdik on its owner's own side": () => t('fault.own_tuzdik'),
    'balls in a tuzdik': () => t('fault.balls_in_tuzdik'),
    'a tuzdik in the last pit': () => t('fault.last_pit'),
    'two tuzdiks in pits of the same number': () => t('fault.same_number'),
    'the game is over': () => t('fault.game_over'),
    'no game is written here': () => t('fault.no_game'),
  }),
);

const shaped: [RegExp, (...parts: string[]) => string][] = [
  [/^ply 0: (.*)$/s, (reason) => faultText(reason)],
  [/^ply (\d+): (.*)$/s, (ply, reason) => t('fault.at_ply', {ply, reason: faultText(reason)})],
  [/^move '.*': the game is over/s, () => t('fault.game_over')],
  [/^move '(.*?)': /s, (move) => t('fault.move', {move})],
  [/^pit (\d+) (?:is not a legal move|cannot be played here)$/, (pit) => t('fault.pit', {pit})],
  [/^more than (\d+) games/, (count) => t('fault.too_many', {count: Number(count)})],
  [/^(?:ending|result|kazans|plies) .*, but /s, () => t('fault.summary')],
  [/^position text: (.*)$/s, (reason) => exact.get(reason)?.() ?? t('fault.position_text')],
];

export function faultText(message: string): string {
  const known = exact.get(message);
  if (known) return known();
  for (const [shape, words] of shaped) {
    const found = shape.exec(message);
    if (found) return words(...found.slice(1));
  }
  return message;
}
