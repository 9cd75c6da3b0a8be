// Which games reach a position, by whatever order of moves. Two games can meet only after equally
// many moves (the position text counts them), so the positions of one ply are computed when a position
// of that ply is first asked for, in slices; nothing is precomputed and no rule is restated here.
import type {GameSpec, Variant} from '../../engine/api';
import type {HumanGame} from './games';

export type FenOf = (game: GameSpec) => string;

export class PositionIndex {
  private readonly plies = new Map<number, Map<string, HumanGame[]>>();

  constructor(
    readonly games: readonly HumanGame[],
    readonly variant: Variant,
    private readonly fenOf: FenOf,
  ) {}

  // Games that begin with these very moves: known at once.
  byMoves(pits: readonly number[]): HumanGame[] {
    const start = pits.join('');
    return this.games.filter((game) => game.pits.startsWith(start));
  }

  // All that reach the position after `ply` moves; null until `prepare(ply)` is through.
  byPosition(ply: number, fen: string): HumanGame[] | null {
    const positions = this.plies.get(ply);
    return positions ? (positions.get(fen) ?? []) : null;
  }

  // Yields between positions, so that the caller can let the page breathe.
  *prepare(ply: number): Generator<void> {
    if (this.plies.has(ply)) return;
    const byStart = new Map<string, HumanGame[]>();
    for (const game of this.games) {
      if (game.pits.length < ply) continue;
      const start = game.pits.slice(0, ply);
      const same = byStart.get(start);
      if (same) same.push(game);
      else byStart.set(start, [game]);
    }
    const positions = new Map<string, HumanGame[]>();
    for (const [start, games] of byStart) {
      const fen = this.fenOf({variant: this.variant, moves: Array.from(start, Number)});
      const same = positions.get(fen);
      if (same) same.push(...games);
      else positions.set(fen, [...games]);
      yield;
    }
    this.plies.set(ply, positions);
  }
}

// Moves made before the position, from its text: "... S 4" is after 6. null if it is no position.
export function plyOf(fen: string): number | null {
  const found = /\s([SN])\s(\d{1,6})\s*$/.exec(fen);
  if (!found) return null;
  const ply = 2 * (Number(found[2]) - 1) + (found[1] === 'N' ? 1 : 0);
  return ply >= 0 ? ply : null;
}
