// Studying: analysis of a game, and exercises.
import {signal} from '@preact/signals';
import {useEffect} from 'preact/hooks';
import {notify} from '../base/notice';
import type {EngineApi, GameSpec, RulesApi} from '../engine/api';
import {t} from '../i18n';
import {faultText} from '../i18n/fault';
import {AnalysisView, panel} from './analysis_view';
import type {Exercise} from './exercises/catalogue';
import {originOf} from './exercises/origin';
import {Trainer} from './exercises/trainer';
import {ExercisesView} from './exercises/view';
import {StudySession, type OpenedGame} from './session';
import './exercises/exercises.css';
import './explorer/explorer.css';
import './review/review.css';
import './study.css';
import {Tabs} from './tabs';

export type {OpenedGame} from './session';

type Part = 'analysis' | 'exercises';
const parts: readonly Part[] = ['analysis', 'exercises'];
const part = signal<Part>('analysis');

// They outlive the view: one may play meanwhile, and come back.
let lastOpened: OpenedGame | null = null;
let kept: {session: StudySession; trainer: Trainer; engine: EngineApi} | null = null;

function sessionOf(rules: RulesApi, engine: EngineApi): {session: StudySession; trainer: Trainer} {
  if (kept?.engine !== engine)
    kept = {session: new StudySession(rules, engine), trainer: new Trainer(rules), engine};
  return kept;
}

// The exercise within its game, the line as a variation.
async function analyse(
  rules: RulesApi,
  session: StudySession,
  exercise: Exercise,
  line: number[],
): Promise<void> {
  const {opened, ply} = await originOf(rules, exercise);
  session.open(opened);
  session.goToPly(ply);
  const node = session.node.value;
  session.playLine(line);
  session.goTo(node);
  part.value = 'analysis';
  panel.value = 'moves';
}

export interface StudyViewProps {
  rules: RulesApi;
  engine: EngineApi;
  // A game to be opened when the view appears, and whenever another object is given.
  opened?: OpenedGame | null;
  // "Play from here".
  onPlayFrom?: (game: GameSpec) => void;
}

export function StudyView({rules, engine, opened, onPlayFrom}: StudyViewProps) {
  const {session, trainer} = sessionOf(rules, engine);
  useEffect(() => {
    if (!opened || opened === lastOpened) return;
    lastOpened = opened;
    try {
      session.open(opened);
      session.toEnd();
      part.value = 'analysis';
      panel.value = opened.game.moves.length > 0 ? 'review' : 'moves';
    } catch (error) {
      notify(t('study.open_failed', {reason: faultText((error as Error).message)}), true);
    }
  }, [opened, session]);
  const analysing = part.value === 'analysis';
  useEffect(() => (analysing ? session.arrive() : undefined), [session, analysing]);
  return (
    <div class="study" data-testid="study">
      <h1 class="unseen">{t('study.title')}</h1>
      <Tabs
        label={t('study.title')}
        value={part.value}
        tabs={parts.map((value) => ({value, label: t(`study.${value}`)}))}
        onChange={(value) => (part.value = value)}
        name="study"
      >
        {part.value === 'analysis' && <AnalysisView session={session} onPlayFrom={onPlayFrom} />}
        {part.value === 'exercises' && (
          <ExercisesView
            rules={rules}
            trainer={trainer}
            onAnalyse={(exercise, line) => void analyse(rules, session, exercise, line)}
          />
        )}
      </Tabs>
    </div>
  );
}
