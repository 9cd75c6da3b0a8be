// The position editor: what is entered, the board that it makes, and whether the rules allow it.
import {useState} from 'preact/hooks';
import {Choice, IconButton} from '../base/controls';
import {Dialog} from '../base/dialog';
import {Board} from '../board/board';
import {rowOf} from '../board/ring';
import {sideName} from '../board/words';
import {variants, type EditedPosition, type GameSpec, type Side} from '../engine/api';
import {t} from '../i18n';
import {faultText} from '../i18n/fault';
import {closeDialog} from './dialogs';
import {ballsOf, emptyPosition, usualPosition, withKazan, withPit, withRest, withTuzdik} from './editing';
import type {PlaySession} from './session';

interface NumberProps {
  label: string;
  value: number;
  greatest: number;
  onChange: (value: number) => void;
  name: string;
  disabled?: boolean;
}

function Balls({label, value, greatest, onChange, name, disabled}: NumberProps) {
  return (
    <input
      type="number"
      inputMode="numeric"
      min={0}
      max={greatest}
      aria-label={label}
      title={label}
      value={value}
      disabled={disabled}
      onFocus={(event) => event.currentTarget.select()}
      onInput={(event) => {
        const entered = Math.round(Number(event.currentTarget.value));
        if (Number.isFinite(entered)) onChange(Math.min(greatest, Math.max(0, entered)));
      }}
      data-testid={name}
    />
  );
}

interface EditorProps {
  session: PlaySession;
  onStudy: (game: GameSpec) => void;
}

export function EditorDialog({session, onStudy}: EditorProps) {
  const api = session.rules;
  const game = session.game.value;
  const [position, setPosition] = useState<EditedPosition>(() =>
    api.fen(game.setup.variant, game.viewed.value.fen),
  );
  const [text, setText] = useState('');
  const [textFault, setTextFault] = useState('');
  const rules = api.rules(position.variant);
  const sides: Side[] = [0, 1];

  let fen = '';
  let fault = '';
  try {
    fen = api.position(position);
    api.state({variant: position.variant, fen, moves: []});
  } catch (error) {
    fault = (error as Error).message;
  }
  const spec: GameSpec = {variant: position.variant, fen, moves: []};
  const read = (entered: string) => {
    setText(entered);
    setTextFault('');
    if (entered.trim() === '') return;
    try {
      setPosition(api.fen(position.variant, entered.trim()));
    } catch (error) {
      setTextFault((error as Error).message);
    }
  };

  const row = (side: Side) => (
    <div class="editor-row" role="group" aria-label={t('play.editor_row', {side: sideName(side)})} dir="ltr">
      {rowOf(rules.pits, side, 0).map((pit) => (
        <Balls
          key={pit}
          label={t('play.editor_pit', {side: sideName(side), pit})}
          value={position.pits[side][pit - 1]!}
          greatest={rules.total}
          disabled={position.tuzdik[side === 0 ? 1 : 0] === pit}
          onChange={(balls) => setPosition(withPit(position, side, pit, balls))}
          name={`edit-${side}-${pit}`}
        />
      ))}
    </div>
  );
  const tuzdik = (owner: Side) => (
    <label class="field">
      <span class="label">{t('play.editor_tuzdik', {side: sideName(owner)})}</span>
      <select
        value={position.tuzdik[owner]}
        onChange={(event) => setPosition(withTuzdik(position, owner, Number(event.currentTarget.value)))}
        data-testid={`edit-tuzdik-${owner}`}
      >
        <option value={0}>{t('play.editor_tuzdik_none')}</option>
        {Array.from({length: rules.pits - 1}, (_, i) => (
          <option key={i} value={i + 1}>
            {t('play.editor_tuzdik_pit', {pit: i + 1})}
          </option>
        ))}
      </select>
    </label>
  );
  const kazan = (side: Side) => (
    <label class="field">
      <span class="label">{t('play.editor_kazan', {side: sideName(side)})}</span>
      <Balls
        label={t('play.editor_kazan', {side: sideName(side)})}
        value={position.kazan[side]}
        greatest={rules.total}
        onChange={(balls) => setPosition(withKazan(position, side, balls))}
        name={`edit-kazan-${side}`}
      />
    </label>
  );

  return (
    <Dialog title={t('play.editor')} onClose={closeDialog} name="editor-dialog" wide>
      <div class="editor">
        <div class="editor-board">
          <p class="quiet">{t('play.editor_note')}</p>
          {row(1)}
          <Board
            rules={rules}
            position={position}
            turn={position.turn}
            onPit={({side, pit}) => {
              document.querySelector<HTMLInputElement>(`[data-testid="edit-${side}-${pit}"]`)?.focus();
            }}
          />
          {row(0)}
        </div>
        <div class="stack">
          <label class="field">
            <span class="label">{t('play.game')}</span>
            <select
              value={position.variant}
              onChange={(event) => {
                const variant = variants.find((each) => each === event.currentTarget.value)!;
                setPosition(usualPosition(api.rules(variant)));
                setText('');
                setTextFault('');
              }}
              data-testid="edit-variant"
            >
              {variants.map((variant) => (
                <option key={variant} value={variant}>
                  {t(`play.variant_${variant}`)}
                </option>
              ))}
            </select>
          </label>
          <Choice
            label={t('play.editor_turn')}
            value={sideName(position.turn)}
            onChange={(side) => setPosition({...position, turn: side === 'first' ? 0 : 1})}
            name="edit-turn"
            options={(['first', 'second'] as const).map((value) => ({value, label: t(`play.side_${value}`)}))}
          />
          <div class="field-pair">{sides.map(kazan)}</div>
          {rules.tuzdik && <div class="field-pair">{sides.map(tuzdik)}</div>}
          <div class="actions">
            <button class="button" onClick={() => setPosition(usualPosition(rules))} data-testid="edit-usual">
              {t('play.editor_usual')}
            </button>
            <button class="button" onClick={() => setPosition(emptyPosition(rules))} data-testid="edit-clear">
              {t('play.editor_clear')}
            </button>
            <button
              class="button"
              onClick={() => setPosition(withRest(position, 0, rules.total))}
              data-testid="edit-rest"
            >
              {t('play.editor_rest')}
            </button>
          </div>
          <label class="field">
            <span class="label">{t('play.editor_text')}</span>
            <input
              type="text"
              dir="ltr"
              spellcheck={false}
              maxLength={400}
              placeholder={fen}
              value={text}
              onInput={(event) => read(event.currentTarget.value)}
              aria-invalid={textFault !== ''}
              data-testid="edit-text"
            />
          </label>
          {textFault && <p class="fault">{t('play.editor_fault', {reason: faultText(textFault)})}</p>}
          <p class={fault ? 'fault' : 'quiet'} role="status" data-testid="edit-status">
            {t('play.editor_balls', {balls: ballsOf(position), total: rules.total})}
            {fault && ` ${t('play.editor_fault', {reason: faultText(fault)})}`}
          </p>
          <div class="actions actions-end dialog-actions">
            <IconButton
              icon="study"
              words
              label={t('play.editor_study')}
              disabled={fault !== ''}
              onClick={() => {
                closeDialog();
                onStudy(spec);
              }}
              name="edit-study"
            />
            <button
              class="button-main"
              disabled={fault !== ''}
              onClick={() => {
                closeDialog();
                session.open({
                  setup: {variant: spec.variant, fen, players: game.setup.players, time: game.setup.time},
                });
              }}
              data-testid="edit-play"
            >
              {t('play.editor_play')}
            </button>
          </div>
        </div>
      </div>
    </Dialog>
  );
}
