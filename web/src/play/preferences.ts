// What was chosen for the last new game, and other habits of playing.
import {isBoolean, kept} from '../base/storage';
import type {Variant} from '../engine/api';
import {isTime, isVariant, levels, type TimeControl} from './setup';

export const opponents = ['engine', 'person', 'watch'] as const;
export type Opponent = (typeof opponents)[number];
export const sideChoices = ['first', 'second', 'random'] as const;
export type SideChoice = (typeof sideChoices)[number];

export interface Choices {
  variant: Variant;
  opponent: Opponent;
  levels: [number, number]; // of the sides that the engine plays; the first also against a person
  side: SideChoice;
  time: TimeControl | null;
}

const isLevel = (value: unknown) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= levels;

export function isChoices(value: unknown): value is Choices {
  const choices = value as Choices | null | undefined;
  return (
    isVariant(choices?.variant) &&
    opponents.includes(choices.opponent) &&
    Array.isArray(choices.levels) &&
    choices.levels.length === 2 &&
    choices.levels.every(isLevel) &&
    sideChoices.includes(choices.side) &&
    isTime(choices.time)
  );
}

export const firstChoices: Choices = {
  variant: 'standard',
  opponent: 'engine',
  levels: [3, 3],
  side: 'first',
  time: null,
};

export const choices = kept<Choices>('play.choices', firstChoices, isChoices);
export const shortcutsOn = kept('play.shortcuts', true, isBoolean);
