// For tests of what surrounds the rules: any pit may be played; a move of pit 9 ends the game for its
// mover; each move adds a ball to its mover's kazan.
import {
  EngineError,
  type GameSpec,
  type Landing,
  type Rules,
  type RulesApi,
  type Side,
  type State,
} from '../engine/api';

const pits = 9;
const unused = (): never => {
  throw new Error('not in this test');
};

function firstSide({fen}: GameSpec): Side {
  if (fen !== undefined && !/^[SN] fen$/.test(fen)) throw new EngineError('no such position');
  return fen?.startsWith('N') ? 1 : 0;
}

function state(game: GameSpec): State {
  const first = firstSide(game);
  const kazan: [number, number] = [0, 0];
  let over = false;
  game.moves.forEach((pit, i) => {
    if (over || !(pit >= 1 && pit <= pits)) throw new EngineError(`ply ${i + 1}: no such move`);
    kazan[(first + i) % 2]!++;
    over = pit === 9;
  });
  const turn = ((first + game.moves.length) % 2) as Side;
  const row = () => Array<number>(pits).fill(9);
  return {
    variant: game.variant,
    fen: `${turn === 0 ? 'S' : 'N'} fen`,
    pits: [row(), row()],
    kazan,
    tuzdik: [0, 0],
    turn,
    legal: over ? [] : [1, 2, 3, 4, 5, 6, 7, 8, 9],
    over,
    reason: over ? 'majority' : null,
    result: over ? (turn === 1 ? '1-0' : '0-1') : null,
    moves: game.moves.map((pit) => `${pit}1`),
    compelled: false,
    last: game.moves.length > 0 ? landing(game.moves.at(-1)!, (1 - turn) as Side) : null,
  };
}

const landing = (pit: number, by: Side): Landing => ({
  pit,
  by,
  square: 0,
  captured: 0,
  tuzdik: false,
  move: `${pit}1`,
});

export const fakeRules: RulesApi = {
  rules: (variant): Rules => ({
    name: variant,
    pits,
    balls: 9,
    total: 162,
    majority: 82,
    tuzdik: true,
    giveaway: variant === 'giveaway',
  }),
  state,
  landings: (game) => state(game).legal.map((pit) => landing(pit, state(game).turn)),
  sowing: () => [],
  facts: unused,
  read: unused,
  write: unused,
  position: unused,
  fen: unused,
  text: unused,
};
