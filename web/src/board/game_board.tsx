// The board for a game that grows: when one more move has been made, it is sown before one's eyes.
import {useEffect, useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
import type {GameSpec, RulesApi, Side} from '../engine/api';
import {announce} from '../base/announce';
import {Board, type BoardMark} from './board';
import {speed, type Speed} from './settings';
import {soundOfFrame} from './sound';
import {Sower} from './sower';
import {moveWords} from './words';

interface GameBoardProps {
  rules: RulesApi;
  game: GameSpec;
  playable?: boolean;
  bottom?: Side;
  marks?: readonly BoardMark[];
  onPlay?: (pit: number) => void;
  onSettled?: () => void; // after each sowing
  pace?: Speed; // another than the one set
}

function grown(from: GameSpec, to: GameSpec): boolean {
  return (
    to.moves.length === from.moves.length + 1 &&
    to.variant === from.variant &&
    to.fen === from.fen &&
    from.moves.every((pit, i) => pit === to.moves[i])
  );
}

export function GameBoard(props: GameBoardProps) {
  const {rules, game, playable = true, bottom = 0} = props;
  const sower = useMemo(() => new Sower(soundOfFrame), []);
  const [seen, setSeen] = useState(game);
  const newest = useRef(props);
  newest.current = props;

  const key = `${game.variant} ${game.fen ?? ''} ${game.moves.join('')}`;
  const state = useMemo(() => rules.state(game), [key]);
  const landings = useMemo(() => (state.over ? [] : rules.landings(game)), [key]);
  useLayoutEffect(() => {
    sower.skip();
    if (grown(seen, game)) {
      announce(moveWords(rules.rules(game.variant), state));
      const frames = rules.sowing(seen, game.moves.at(-1)!);
      void sower
        .run(frames, state.last!.by, newest.current.pace ?? speed.value)
        .then(() => newest.current.onSettled?.());
    }
    setSeen(game);
  }, [key]);
  useEffect(() => () => sower.skip(), []);

  return (
    <Board
      rules={rules.rules(game.variant)}
      position={state}
      turn={state.turn}
      legal={playable ? state.legal : []}
      landings={landings}
      last={state.last}
      bottom={bottom}
      marks={props.marks}
      shown={sower.shown.value}
      onPlay={props.onPlay}
      onSkip={() => sower.skip()}
    />
  );
}
