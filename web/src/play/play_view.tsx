import {useEffect, useMemo} from 'preact/hooks';
import {Board, type BoardMark} from '../board/board';
import {layoutOf} from '../board/layout';
import {other} from '../board/ring';
import type {GameSpec} from '../engine/api';
import {t} from '../i18n';
import {Bar} from './bar';
import {dialog} from './dialogs';
import {EditorDialog} from './editor_dialog';
import {GamesDialog} from './games_dialog';
import {useKeys} from './keys';
import {MoveList} from './move_list';
import {NewGameDialog} from './new_game';
import {Plate} from './plate';
import './play.css';
import {ShareDialog} from './share_dialog';
import type {PlaySession} from './session';
import {HelpDialog, ResignDialog} from './small_dialogs';
import {HintPanel, Status} from './status';

interface PlayViewProps {
  session: PlaySession;
  onStudy: (game: GameSpec) => void;
}

function PlayBoard({session}: {session: PlaySession}) {
  const game = session.game.value;
  const state = game.viewed.value;
  const playable = session.canPlay.value;
  const pit = session.hint.value?.facts?.pit;
  const marks = useMemo<BoardMark[]>(
    () => (pit && playable ? [{side: state.turn, pit, kind: 'hint'}] : []),
    [pit, playable, state.turn],
  );
  return (
    <Board
      rules={game.rules}
      position={state}
      turn={state.turn}
      legal={playable ? state.legal : []}
      landings={game.landings.value}
      last={state.last}
      bottom={session.bottom.value}
      marks={marks}
      shown={session.sower.shown.value}
      onPlay={(played) => session.play(played)}
      onSkip={() => session.sower.skip()}
    />
  );
}

function Dialogs({session, onStudy}: PlayViewProps) {
  switch (dialog.value) {
    case 'new':
      return <NewGameDialog session={session} />;
    case 'games':
      return <GamesDialog session={session} />;
    case 'share':
      return <ShareDialog session={session} />;
    case 'editor':
      return <EditorDialog session={session} onStudy={onStudy} />;
    case 'help':
      return <HelpDialog />;
    case 'resign':
      return <ResignDialog session={session} />;
    case null:
      return null;
  }
}

export function PlayView({session, onStudy}: PlayViewProps) {
  useKeys(session);
  useEffect(() => {
    session.enter();
    return () => session.leave();
  }, [session]);
  const bottom = session.bottom.value;
  const {width, height} = layoutOf(session.game.value.rules);
  return (
    <div class="play">
      <h1 class="unseen">{t('board.board', {variant: session.game.value.setup.variant})}</h1>
      <div class="play-table" style={{'--across': width, '--down': height}}>
        <Plate session={session} side={other(bottom)} />
        <PlayBoard session={session} />
        <Plate session={session} side={bottom} />
      </div>
      <div class="play-side">
        <Status session={session} onReview={() => onStudy(session.game.peek().spec())} />
        <Bar session={session} />
        <HintPanel session={session} />
        <MoveList game={session.game.value} />
      </div>
      <Dialogs session={session} onStudy={onStudy} />
    </div>
  );
}
