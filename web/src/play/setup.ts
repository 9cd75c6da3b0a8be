// Who plays what, and by which clock.
import {variants, type Side, type State, type Variant} from '../engine/api';
import {other} from '../board/ring';

export type Player = {kind: 'person'} | {kind: 'engine'; level: number};

export interface TimeControl {
  minutes: number; // a side
  increment: number; // seconds a move
}

export interface Setup {
  variant: Variant;
  fen?: string;
  players: [Player, Player];
  time: TimeControl | null;
}

export type Stop = {by: 'resignation' | 'time'; loser: Side};

export interface Ending {
  reason: NonNullable<State['reason']> | Stop['by'];
  winner: Side | null;
  result: '1-0' | '0-1' | '1/2-1/2';
}

export const levels = 10;

export const person: Player = {kind: 'person'};
export const twoPeople: [Player, Player] = [person, person];

export const times: readonly (TimeControl | null)[] = [
  null,
  {minutes: 3, increment: 2},
  {minutes: 5, increment: 3},
  {minutes: 10, increment: 5},
  {minutes: 15, increment: 10},
  {minutes: 30, increment: 0},
  {minutes: 60, increment: 0},
];

export const timeText = (time: TimeControl): string => `${time.minutes}+${time.increment}`;

// The side of the one person; null if both or none are.
export function ownSide({players}: Setup): Side | null {
  const people = ([0, 1] as Side[]).filter((side) => players[side].kind === 'person');
  return people.length === 1 ? people[0]! : null;
}

export const watched = ({players}: Setup): boolean => players.every((player) => player.kind === 'engine');

export function endingOf(state: State, stop: Stop | null): Ending | null {
  if (state.over && state.reason && state.result) {
    const winner = state.result === '1-0' ? 0 : state.result === '0-1' ? 1 : null;
    return {reason: state.reason, winner, result: state.result};
  }
  if (!stop) return null;
  const winner = other(stop.loser);
  return {reason: stop.by, winner, result: winner === 0 ? '1-0' : '0-1'};
}

const isNumber = (value: unknown, least: number, greatest: number): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= least && value <= greatest;

export const isVariant = (value: unknown): value is Variant => variants.includes(value as Variant);

export function isPlayer(value: unknown): value is Player {
  const player = value as Player | null;
  if (player?.kind === 'person') return true;
  return player?.kind === 'engine' && Number.isInteger(player.level) && isNumber(player.level, 1, levels);
}

export function isTime(value: unknown): value is TimeControl | null {
  if (value === null) return true;
  const time = value as TimeControl | undefined;
  return (
    isNumber(time?.minutes, 0, 600) && isNumber(time.increment, 0, 600) && time.minutes + time.increment > 0
  );
}

export function isSetup(value: unknown): value is Setup {
  const setup = value as Setup | null | undefined;
  return (
    isVariant(setup?.variant) &&
    (setup.fen === undefined || (typeof setup.fen === 'string' && setup.fen.length < 400)) &&
    Array.isArray(setup.players) &&
    setup.players.length === 2 &&
    setup.players.every(isPlayer) &&
    isTime(setup.time)
  );
}
