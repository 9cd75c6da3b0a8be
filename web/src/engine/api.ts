// What the page and the engine say to each other. The engine is C++ compiled to WebAssembly
// (web/engine/page_engine.h answers each request below, one JSON object for one); rules, notation,
// search and review live there, and nothing of them is stated again in TypeScript.
//
// Pits are numbered 1..N by their owner, from his left. Sides are 0 (first player) and 1. Squares go
// round the ring: the first player's pits are 0..N-1, the second player's N..2N-1.

export type Side = 0 | 1;
export type Variant = 'standard' | 'giveaway' | 'bestemshe' | 'seven';
export const variants: readonly Variant[] = ['standard', 'giveaway', 'bestemshe', 'seven'];

// A game under way: where it began and the pits played since. Plain data: it can be saved, shared
// and sent to a worker as it is.
export interface GameSpec {
  variant: Variant;
  fen?: string; // start position; absent: the variant's own
  moves: number[]; // pits, 1..N
}

export interface Rules {
  name: Variant;
  pits: number; // a side
  balls: number; // a pit at the start
  total: number;
  majority: number; // a kazan of so many ends the game
  tuzdik: boolean;
  giveaway: boolean;
}

// As the protocol's `d` prints it (core/state_json.h), with what a page wants beside it.
export interface State {
  variant: Variant;
  fen: string;
  pits: [number[], number[]]; // by side, pit 1 first
  kazan: [number, number];
  tuzdik: [number, number]; // tuzdik[0]: number of the second player's pit that the first owns; 0: none
  turn: Side;
  legal: number[];
  over: boolean;
  reason: 'no_moves' | 'majority' | 'repetition' | 'ply_cap' | null;
  result: '1-0' | '0-1' | '1/2-1/2' | null;
  moves: string[]; // of the game so far, in notation: "76", "83X(12)"
  compelled: boolean; // giveaway: pits that hold balls may not be played, since others must
  last: Landing | null; // of the move just made
}

// What a move does where its last ball falls.
export interface Landing {
  pit: number; // played
  by: Side;
  square: number; // ring square of the last ball
  captured: number; // balls taken there, the 3 of a tuzdik included; 0: none
  tuzdik: boolean; // the square becomes the mover's tuzdik
  move: string; // notation without score: "76", "83X"
}

// One step of a sowing to be shown. The first: balls are taken up; then one a ball; last the capture
// or new tuzdik, if there is one.
export interface SowingFrame {
  pits: [number[], number[]];
  kazan: [number, number];
  tuzdik: [number, number];
  square: number; // where something has just happened
  inHand: number; // balls still to be sown
  capture: boolean; // the balls there have just gone to the mover's kazan
}

// play/hint.h, MoveFacts.
export interface Capture {
  pit: number; // 0: nothing is taken
  balls: number;
  tuzdik: number; // the other side's pit that becomes a tuzdik; 0: none
}
export interface MoveFacts {
  pit: number;
  capture: Capture;
  intoOwnTuzdik: number;
  intoOtherTuzdik: number;
  only: boolean;
  compelled: boolean;
  end: {score: -1 | 0 | 1; own: number; other: number} | null;
  dangerBefore: Capture;
  dangerAfter: Capture;
  endangered: number;
  preventedTuzdik: number;
  chanceBefore: Capture;
  chanceAfter: Capture;
  newChance: boolean;
  expected: {winRate: number; own: number; other: number} | null;
  nextBest: number | null;
  nextBestWinRate: number;
}

// A move that the search looked at. All for the side to move.
export interface Line {
  visits: number;
  winRate: number; // per cent, a draw counting half
  margin: number; // expected final balls ahead
  pv: string[]; // moves in notation, this one first
  pits: number[]; // the same as pits
}
export interface SearchInfo {
  nodes: number; // visits of the root
  nps: number;
  timeMs: number;
  lines: Line[]; // best first
}
export interface SearchResult extends SearchInfo {
  best: number | null; // pit, the level's choice; null if the game is over
  facts: MoveFacts | null; // of `best`, with what the search expects
}

// Limits of a search: the first reached ends it. With none, the level's own nodes (level 10: 800).
export interface SearchLimits {
  level?: number; // 1..10; 10 if absent
  nodes?: number;
  moveTimeMs?: number;
  remainingMs?: number; // on the clock of the side to move
  incrementMs?: number;
  lines?: number; // 1..9 lines in the answers
  seed?: number; // of a level's choices
}

export type Mark = '' | '!' | '?!' | '?' | '??';
// analysis/review.h: what each move cost; from its mover's view.
export interface ReviewedMove {
  pit: number;
  move: string;
  best: number;
  bestMove: string;
  bestLine: string[];
  winRateBest: number;
  winRate: number;
  marginBest: number;
  margin: number;
  lostWinRate: number;
  lostBalls: number;
  accuracy: number;
  mark: Mark;
  turning: boolean;
}
export interface SideReview {
  moves: number;
  accuracy: number;
  lostBalls: number;
  marks: Record<'good' | 'inaccuracy' | 'mistake' | 'blunder', number>;
}
export interface GameReview {
  moves: ReviewedMove[];
  firstWinRate: number[]; // of the first player before ply i; one more than moves
  firstMargin: number[];
  sides: [SideReview, SideReview];
}

// A game read from text (core/record.h). `fault` says what is wrong, and `game` holds the moves
// before it.
export interface ReadGame {
  game: GameSpec;
  tags: Record<string, string>;
  result: string;
  fault: string | null; // "ply 7: ..."
}

// A position put together by hand; the engine says whether the rules allow it.
export interface EditedPosition {
  variant: Variant;
  pits: [number[], number[]];
  kazan: [number, number];
  tuzdik: [number, number];
  turn: Side;
}

// Synchronous questions about the rules, answered within the page (a second instance of the same
// module, without a network): each takes well under a millisecond.
export interface RulesApi {
  rules(variant: Variant): Rules;
  state(game: GameSpec): State; // throws EngineError if a move is not legal
  landings(game: GameSpec): Landing[]; // of each legal move, in the order of pits
  sowing(game: GameSpec, pit: number): SowingFrame[];
  facts(game: GameSpec, pit: number): MoveFacts; // without a search
  read(text: string, variant: Variant): ReadGame[]; // pgn, text, tkg; throws EngineError if nothing can be read
  write(game: GameSpec, more: {tags?: Record<string, string>; result?: string; comments?: string[]}): string; // pgn
  position(edited: EditedPosition): string; // the fen; throws EngineError saying what is wrong
  fen(variant: Variant, fen: string): EditedPosition; // the other way; throws EngineError
  text(game: GameSpec): string; // moves with numbers, "1. 76 99 2. 52"
}

// The engine in its worker. One job at a time: a new one ends the one before (its promise rejects
// with EngineStopped).
export interface EngineApi {
  // Whether there is a model for the variant; without one the engine plays by random playouts.
  model(variant: Variant): {name: string; id: string} | null;
  think(game: GameSpec, limits: SearchLimits, onInfo?: (info: SearchInfo) => void): Promise<SearchResult>;
  // Ends the job early: `think` resolves with what it found.
  stop(): void;
  // Searches every position of a game with so many nodes. `onProgress` is called after each.
  review(
    game: GameSpec,
    nodes: number,
    onProgress?: (done: number, total: number) => void,
  ): Promise<GameReview>;
  // The search's signature (search/signature.h) as 16 hex digits: the same on every build.
  signature(variant: Variant): Promise<string>;
}

export class EngineError extends Error {}
export class EngineStopped extends Error {}
