// An exercise on the board, and the panel beside it.
import {useEffect} from 'preact/hooks';
import {GameBoard, type BoardMark} from '../../board';
import type {RulesApi, Side} from '../../engine/api';
import {t} from '../../i18n';
import type {Exercise} from './catalogue';
import {ExercisesPanel} from './panel';
import {Task} from './task';
import type {Trainer} from './trainer';

// Between the moves of a line that is played out.
const restMs = 1100;

interface ExercisesViewProps {
  rules: RulesApi;
  trainer: Trainer;
  onAnalyse: (exercise: Exercise, line: number[]) => void;
}

function marksOf(trainer: Trainer, turn: Side): BoardMark[] {
  const {value: tried} = trainer.tried;
  return trainer.phase.value === 'wrong' && tried ? [{side: turn, pit: tried.pit, kind: 'bad'}] : [];
}

export function ExercisesView({rules, trainer, onAnalyse}: ExercisesViewProps) {
  useEffect(() => void trainer.load(), [trainer]);
  const {value: game} = trainer.game;
  const {value: exercise} = trainer.exercise;
  const turn = game ? rules.state(game).turn : 0;
  const start = game ? rules.state({...game, moves: []}).turn : 0;
  const settled = () => {
    const count = trainer.moves.value.length;
    setTimeout(() => {
      // Unless the person has gone elsewhere meanwhile.
      if (trainer.exercise.value === exercise && trainer.moves.value.length === count) trainer.goOn();
    }, restMs);
  };
  return (
    <div class="study-columns">
      <div class="study-left">
        {exercise && <Task exercise={exercise} turn={start} repeat={trainer.repeat.value} />}
        {game && (
          <GameBoard
            rules={rules}
            game={game}
            playable={trainer.asks}
            bottom={start}
            marks={marksOf(trainer, turn)}
            onPlay={(pit) => trainer.attempt(pit)}
            onSettled={settled}
          />
        )}
      </div>
      <div class="study-right" aria-label={t('study.exercises')}>
        <ExercisesPanel
          rules={rules}
          trainer={trainer}
          onAnalyse={() => exercise && onAnalyse(exercise, trainer.line())}
        />
      </div>
    </div>
  );
}
