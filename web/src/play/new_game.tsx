// What to play, against whom, by which clock.
import {useState} from 'preact/hooks';
import {Choice} from '../base/controls';
import {Dialog} from '../base/dialog';
import {sideName} from '../board/words';
import {variants, type RulesApi, type Side} from '../engine/api';
import {t} from '../i18n';
import {closeDialog} from './dialogs';
import {choices as keptChoices, opponents, sideChoices, type Choices} from './preferences';
import type {PlaySession} from './session';
import {levels, person, times, timeText, type Player, type Setup, type TimeControl} from './setup';

export function playersOf({opponent, levels: [first, second], side}: Choices, lot: number): [Player, Player] {
  if (opponent === 'person') return [person, person];
  if (opponent === 'watch')
    return [
      {kind: 'engine', level: first},
      {kind: 'engine', level: second},
    ];
  const engine: Player = {kind: 'engine', level: first};
  const own: Side = side === 'random' ? (lot < 0.5 ? 0 : 1) : side === 'first' ? 0 : 1;
  return own === 0 ? [person, engine] : [engine, person];
}

function LevelSlider({label, value, onChange, name}: LevelProps) {
  return (
    <label class="field">
      <span class="label">{label}</span>
      <span class="level">
        <input
          type="range"
          min={1}
          max={levels}
          value={value}
          aria-valuetext={t('play.level_value', {level: value, levels})}
          onInput={(event) => onChange(Number(event.currentTarget.value))}
          data-testid={name}
        />
        <output>{value}</output>
      </span>
    </label>
  );
}
interface LevelProps {
  label: string;
  value: number;
  onChange: (level: number) => void;
  name: string;
}

function VariantChoice({rules, value, onChange}: VariantProps) {
  return (
    <Choice
      label={t('play.game')}
      value={value}
      onChange={onChange}
      name="variant"
      options={variants.map((variant) => ({
        value: variant,
        label: (
          <span class="variant-card">
            <strong>{t(`play.variant_${variant}`)}</strong>
            <small>{t(`play.variant_${variant}_note`, {majority: rules.rules(variant).majority})}</small>
          </span>
        ),
      }))}
    />
  );
}
interface VariantProps {
  rules: RulesApi;
  value: Choices['variant'];
  onChange: (variant: Choices['variant']) => void;
}

const keyOf = (time: TimeControl | null) => (time ? timeText(time) : 'none');

function TimeChoice({
  value,
  onChange,
}: {
  value: TimeControl | null;
  onChange: (time: TimeControl | null) => void;
}) {
  const usual = times.some((time) => keyOf(time) === keyOf(value));
  const [custom, setCustom] = useState(!usual);
  const number = (name: keyof TimeControl, least: number) => (
    <label class="field">
      <span class="label">{t(`play.time_${name}`)}</span>
      <input
        type="number"
        inputMode="numeric"
        min={least}
        max={180}
        value={value?.[name] ?? 0}
        onChange={(event) => {
          const entered = Math.round(Number(event.currentTarget.value));
          const bounded = Math.min(180, Math.max(least, Number.isFinite(entered) ? entered : least));
          event.currentTarget.value = String(bounded);
          onChange({...(value ?? {minutes: 10, increment: 5}), [name]: bounded});
        }}
        data-testid={`time-${name}`}
      />
    </label>
  );
  return (
    <div>
      <Choice
        label={t('play.time')}
        value={custom ? 'custom' : keyOf(value)}
        onChange={(key) => {
          setCustom(key === 'custom');
          if (key === 'custom') onChange(value ?? {minutes: 10, increment: 5});
          else onChange(times.find((time) => keyOf(time) === key) ?? null);
        }}
        name="time"
        options={[
          ...times.map((time) => ({
            value: keyOf(time),
            label: time ? <span dir="ltr">{timeText(time)}</span> : t('play.time_none'),
          })),
          {value: 'custom', label: t('play.time_custom')},
        ]}
      />
      {custom && (
        <div class="field-pair">
          {number('minutes', 1)}
          {number('increment', 0)}
        </div>
      )}
    </div>
  );
}

export function NewGameDialog({session}: {session: PlaySession}) {
  const [chosen, setChosen] = useState(keptChoices.value);
  const [from, setFrom] = useState<'usual' | 'current'>('usual');
  const change = (part: Partial<Choices>) => setChosen({...chosen, ...part});
  const game = session.game.value;
  const canContinue =
    !game.ending.value &&
    game.setup.variant === chosen.variant &&
    game.viewed.value.moves.length + (game.setup.fen ? 1 : 0) > 0;
  const level = (index: 0 | 1, label: string) => (
    <LevelSlider
      label={label}
      value={chosen.levels[index]}
      onChange={(value) =>
        change({levels: index === 0 ? [value, chosen.levels[1]] : [chosen.levels[0], value]})
      }
      name={`level-${index}`}
    />
  );
  const start = () => {
    keptChoices.value = chosen;
    const setup: Setup = {
      variant: chosen.variant,
      players: playersOf(chosen, Math.random()),
      time: chosen.time,
    };
    const current = canContinue && from === 'current';
    if (current && game.setup.fen !== undefined) setup.fen = game.setup.fen;
    closeDialog();
    session.open({setup, moves: current ? game.spec().moves.slice(0, game.viewed.value.moves.length) : []});
  };
  return (
    <Dialog title={t('play.new_game')} onClose={closeDialog} name="new-game-dialog">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <VariantChoice
          rules={session.rules}
          value={chosen.variant}
          onChange={(variant) => change({variant})}
        />
        <Choice
          label={t('play.players')}
          value={chosen.opponent}
          onChange={(opponent) => change({opponent})}
          name="opponent"
          options={opponents.map((value) => ({value, label: t(`play.opponent_${value}`)}))}
        />
        {chosen.opponent === 'engine' && (
          <>
            {level(0, t('play.level'))}
            <Choice
              label={t('play.own_side')}
              value={chosen.side}
              onChange={(side) => change({side})}
              name="side"
              options={sideChoices.map((value) => ({value, label: t(`play.side_${value}`)}))}
            />
          </>
        )}
        {chosen.opponent === 'watch' &&
          ([0, 1] as const).map((side) => level(side, t('play.level_of', {side: sideName(side)})))}
        <TimeChoice value={chosen.time} onChange={(time) => change({time})} />
        {canContinue && (
          <Choice
            label={t('play.start_from')}
            value={from}
            onChange={setFrom}
            name="from"
            options={[
              {value: 'usual', label: t('play.start_usual')},
              {value: 'current', label: t('play.start_current')},
            ]}
          />
        )}
        <div class="actions actions-end dialog-actions">
          <button type="submit" class="button-main" data-testid="start-game">
            {t('play.start')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
