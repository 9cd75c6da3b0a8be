// What a review says, as a player steps through it.
import type {GameReview, Mark, ReviewedMove, Side} from '../../engine/api';

export const faults: readonly Mark[] = ['?!', '?', '??'];

// `firstToMove`: who makes the first reviewed move.
export function moverOf(index: number, firstToMove: Side): Side {
  return ((index + firstToMove) % 2) as Side;
}

export function isFault(move: ReviewedMove): boolean {
  return faults.includes(move.mark);
}

// Moves worth a second try: mistakes and blunders, and where there is none, inaccuracies.
export function lessons(review: GameReview, firstToMove: Side, side: Side | null): number[] {
  const mine = (index: number) => side === null || moverOf(index, firstToMove) === side;
  const of = (marks: readonly Mark[]) =>
    review.moves.flatMap((move, i) =>
      mine(i) && marks.includes(move.mark) && move.best !== move.pit ? [i] : [],
    );
  const grave = of(['?', '??']);
  return grave.length ? grave : of(['?!']);
}

export function turningPoints(review: GameReview): number[] {
  return review.moves.flatMap((move, i) => (move.turning ? [i] : []));
}

// The nearest of ascending `places` after or before `at`; null if there is none.
export function next(places: readonly number[], at: number): number | null {
  return places.find((place) => place > at) ?? null;
}
export function previous(places: readonly number[], at: number): number | null {
  return places.findLast((place) => place < at) ?? null;
}

// A try at a lesson: as good as the best move, or nearly so.
export type Attempt = 'best' | 'good' | 'again' | 'bad';
const nearlyPoints = 3;

export function judge(
  pit: number,
  lesson: ReviewedMove,
  winRateOf: (pit: number) => number | null, // by a search of the position, for the mover
): Attempt {
  if (pit === lesson.best) return 'best';
  if (pit === lesson.pit) return 'again';
  const best = winRateOf(lesson.best);
  const own = winRateOf(pit);
  if (own === null) return 'bad';
  return own >= (best ?? lesson.winRateBest) - nearlyPoints ? 'good' : 'bad';
}
