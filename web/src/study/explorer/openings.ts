// What people played in the position on the board; follows it.
import {computed, effect, signal, type ReadonlySignal} from '@preact/signals';
import {kept} from '../../base/storage';
import {inSlices} from '../logic/slices';
import type {StudySession} from '../session';
import {humanGames, type HumanGame} from './games';
import {PositionIndex, plyOf} from './positions';
import {bands, everything, samples, tally, type Filter} from './tally';

export const gamesVariant = 'standard';

export interface Reached {
  games: HumanGame[];
  ply: number;
  merged: boolean; // other orders of moves are in
}

function isFilter(value: unknown): value is Filter {
  const {source, band} = (value ?? {}) as Partial<Filter>;
  return typeof source === 'string' && bands.includes(band as Filter['band']);
}

export const filter = kept<Filter>('study.games', everything, isFilter);
export const games = signal<HumanGame[] | null>(null);
export const gamesFailed = signal(false);

export async function loadGames(): Promise<void> {
  if (games.value) return;
  try {
    games.value = await humanGames();
  } catch {
    gamesFailed.value = true;
  }
}

export function sources(): string[] {
  return [...new Set(games.value?.map((game) => game.source))];
}

export class Openings {
  // Null: the position is of another game, or the games are not there yet.
  readonly reached: ReadonlySignal<Reached | null>;
  readonly tally = computed(() => {
    const {value} = this.reached;
    return value && tally(value.games, value.ply, filter.value);
  });
  readonly samples = computed(() => samples(this.reached.value?.games ?? [], filter.value));

  private readonly prepared = signal(0);
  private readonly index = computed(() => {
    const all = games.value;
    if (!all) return null;
    return new PositionIndex(all, gamesVariant, (game) => this.session.rules.state(game).fen);
  });

  constructor(private readonly session: StudySession) {
    this.reached = computed(() => {
      this.prepared.value;
      const index = this.index.value;
      const {variant, fen} = session.state.value;
      const ply = plyOf(fen);
      if (!index || variant !== gamesVariant || ply === null) return null;
      const all = index.byPosition(ply, fen);
      if (all) return {games: all, ply, merged: true};
      const {fen: start, moves} = session.spec();
      return {games: start === undefined ? index.byMoves(moves) : [], ply, merged: false};
    });
  }

  // Looks for other orders of moves while it is shown. Returns what ends that.
  follow(): () => void {
    return effect(() => {
      const index = this.index.value;
      const {variant, fen} = this.session.state.value;
      const ply = plyOf(fen);
      if (!index || variant !== gamesVariant || ply === null) return;
      let left = false;
      void inSlices(index.prepare(ply), () => left).then((through) => {
        if (through && !left) this.prepared.value++;
      });
      return () => void (left = true);
    });
  }
}
