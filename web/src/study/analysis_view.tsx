// The board with the engine's opinion beside it, the game's moves, its review, and what people played.
import {signal} from '@preact/signals';
import {useEffect, useMemo, useRef, useState} from 'preact/hooks';
import {announce} from '../base/announce';
import {IconButton} from '../base/controls';
import {notify} from '../base/notice';
import {GameBoard, type BoardMark} from '../board';
import {speed, type Speed} from '../board/settings';
import {other} from '../board/ring';
import type {GameSpec, Side, State} from '../engine/api';
import {t} from '../i18n';
import {faultText} from '../i18n/fault';
import {EvalBar} from './eval_bar';
import {sourceName} from './explorer/filters';
import {Openings} from './explorer/openings';
import {OpeningsPanel} from './explorer/panel';
import {recordOf, saveAs} from './export';
import {LinesPanel} from './lines_panel';
import {verdictOf, type Verdict} from './logic/live';
import {numberedInText} from './logic/move_list';
import {MovesPanel} from './moves_panel';
import {Navigation, followKeys} from './navigation';
import {OpenDialog} from './open/dialog';
import {openedHuman, titleOf} from './open/reading';
import {markName} from './review/mark';
import {Lesson} from './review/lesson';
import {ReviewPanel} from './review/panel';
import {numbering, type OpenedGame, type StudySession} from './session';
import {Tabs} from './tabs';

type Panel = 'moves' | 'review' | 'openings';
const panels: readonly Panel[] = ['moves', 'review', 'openings'];
export const panel = signal<Panel>('moves');
const bottom = signal<Side>(0);

// Moves that are stepped through are not waited for as one's own are.
const stepSpeed: Record<Speed, Speed> = {slow: 'normal', normal: 'fast', fast: 'fast', instant: 'instant'};

function ended({result}: State): Verdict | null {
  if (!result) return null;
  const winRate = result === '1-0' ? 100 : result === '0-1' ? 0 : 50;
  return {winRate, margin: 0};
}

function verdict(session: StudySession): Verdict | null {
  const state = session.state.value;
  if (state.over) {
    const end = ended(state);
    return end && {...end, margin: state.kazan[0] - state.kazan[1]};
  }
  const seen = session.live.evaluation.value;
  if (session.live.on.value && seen && seen.fen === state.fen) return verdictOf(seen);
  const reviewed = session.review.result.value;
  const node = session.node.value;
  const ply = reviewed && (node.parent ? reviewed.nodes.indexOf(node) + 1 || null : 0);
  if (!reviewed || ply === null) return null;
  return {winRate: reviewed.review.firstWinRate[ply]!, margin: reviewed.review.firstMargin[ply]!};
}

// Where a jump or a step back has led; a move forwards is told by the board.
function useStepWords(session: StudySession): void {
  const node = session.node.value;
  const last = useRef(node);
  useEffect(() => {
    const from = last.current;
    last.current = node;
    if (node === from || node.parent === from || !session.stepped.value) return;
    const side = session.state.value.turn === 0 ? 'first' : 'second';
    if (!node.parent) announce(t('study.at_start'));
    else
      announce(t('study.at_move', {number: numberedInText(node, numbering(session)), move: node.move, side}));
  }, [node]);
}

// On its own: what the engine says changes many times a second.
function CurrentVerdict({session}: {session: StudySession}) {
  return <EvalBar verdict={verdict(session)} />;
}

function marksOf(session: StudySession, lesson: Lesson, state: State): BoardMark[] {
  const asked = lesson.state.value;
  if (asked?.tried && (asked.phase === 'bad' || asked.phase === 'again'))
    return [{side: state.turn, pit: asked.tried.pit, kind: 'bad'}];
  const move = session.review.byNode.value.get(session.node.value.id);
  const name = move && markName(move.mark);
  if (!move || !name || !state.last || asked) return [];
  return [{side: state.last.by, pit: move.pit, kind: name === 'good' ? 'good' : 'bad', badge: move.mark}];
}

export interface AnalysisViewProps {
  session: StudySession;
  onPlayFrom?: (game: GameSpec) => void;
}

export function AnalysisView({session, onPlayFrom}: AnalysisViewProps) {
  const lesson = useMemo(() => new Lesson(session), [session]);
  const openings = useMemo(() => new Openings(session), [session]);
  const [opening, setOpening] = useState(false);
  useEffect(() => () => lesson.end(), [lesson]);
  useEffect(() => followKeys(session, () => !lesson.state.value), [session, lesson]);
  useStepWords(session);

  const state = session.state.value;
  const learning = lesson.state.value !== null;
  const playable = learning ? lesson.asks : true;
  const play = (pit: number) => (learning ? void lesson.attempt(pit) : session.play(pit));
  const open = (opened: OpenedGame, ply = 0, fault: string | null = null) => {
    lesson.end();
    session.open(opened);
    session.goToPly(ply);
    setOpening(false);
    const title = titleOf(opened.tags ?? {});
    if (fault) notify(t('study.open_fault', {reason: faultText(fault)}), true);
    else if (title) announce(title);
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(recordOf(session.rules, session));
      notify(t('study.copied'));
    } catch {
      notify(t('study.copy_failed'), true);
    }
  };
  const title = titleOf(session.tags.value) || t('board.board', {variant: state.variant});

  return (
    <div class="study-columns">
      <div class="study-left">
        <header class="study-head">
          <h2 data-testid="study-title">{title}</h2>
          <IconButton
            icon="open"
            words
            label={t('study.open')}
            name="study-open"
            onClick={() => setOpening(true)}
          />
        </header>
        {!learning && <CurrentVerdict session={session} />}
        <GameBoard
          rules={session.rules}
          game={session.spec()}
          playable={playable}
          bottom={bottom.value}
          marks={marksOf(session, lesson, state)}
          onPlay={play}
          pace={session.stepped.value ? stepSpeed[speed.value] : undefined}
        />
        {!learning && <Navigation session={session} onFlip={() => (bottom.value = other(bottom.value))} />}
        {state.over && !learning && <Over state={state} />}
      </div>
      <div class="study-right">
        {!learning && <LinesPanel session={session} />}
        {learning ? (
          <ReviewPanel session={session} lesson={lesson} />
        ) : (
          <Tabs
            label={t('study.panels')}
            value={panel.value}
            tabs={panels.map((value) => ({value, label: t(`study.panel_${value}`)}))}
            onChange={(value) => (panel.value = value)}
            name="panel"
          >
            {panel.value === 'moves' && (
              <MovesPanel
                session={session}
                onPlayFrom={onPlayFrom}
                onCopy={() => void copy()}
                onDownload={() => saveAs('toguz.pgn', recordOf(session.rules, session))}
              />
            )}
            {panel.value === 'review' && <ReviewPanel session={session} lesson={lesson} />}
            {panel.value === 'openings' && (
              <OpeningsPanel
                session={session}
                openings={openings}
                onOpen={(game, ply) => open(openedHuman(game, sourceName(game.source)), ply)}
              />
            )}
          </Tabs>
        )}
      </div>
      {opening && (
        <OpenDialog
          rules={session.rules}
          openings={openings}
          variant={state.variant}
          onOpen={(opened, fault) => open(opened, 0, fault ?? null)}
          onClose={() => setOpening(false)}
        />
      )}
    </div>
  );
}

function Over({state}: {state: State}) {
  const result = state.result === '1-0' ? 'first' : state.result === '0-1' ? 'second' : 'draw';
  return (
    <p class="study-over" role="status" data-testid="study-over">
      {t('study.game_over', {result, own: state.kazan[0], other: state.kazan[1]})}
    </p>
  );
}
