import {Choice, Switch} from '../base/controls';
import {storageFailed} from '../base/storage';
import {Board} from '../board/board';
import {
  boardStyle,
  boardStyles,
  showLegal,
  showNumbers,
  showPitNames,
  showPreview,
  soundOn,
  speed,
  speeds,
} from '../board/settings';
import {variants, type EngineApi, type RulesApi} from '../engine/api';
import {t} from '../i18n';
import {shortcutsOn} from '../play';
import {install, installOffer, installsByHand} from './install';
import {LanguageChoice} from './shell';
import {theme, themes} from './theme';

// A position with pits of every sort, for the samples.
const sample = {variant: 'bestemshe', moves: [1, 3, 4, 2, 5, 3]} as const;

function Samples({rules}: {rules: RulesApi}) {
  const state = rules.state({variant: sample.variant, moves: [...sample.moves]});
  return (
    <fieldset class="samples" data-testid="board-style">
      <legend class="label">{t('board.style')}</legend>
      <div class="samples-list">
        {boardStyles.map((style) => (
          <label key={style} class="sample">
            <input
              type="radio"
              name="board-style"
              value={style}
              checked={boardStyle.value === style}
              onChange={() => (boardStyle.value = style)}
              data-testid={`board-style-${style}`}
            />
            <div class="sample-board" inert>
              <Board rules={rules.rules(sample.variant)} position={state} look={style} />
            </div>
            <span>{t(`board.style_${style}`)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function EngineNote({engine}: {engine: EngineApi}) {
  return (
    <section class="panel stack">
      <h2>{t('app.engine')}</h2>
      <ul class="plain-list">
        {variants.map((variant) => {
          const model = engine.model(variant);
          const name = t(`play.variant_${variant}`);
          return (
            <li key={variant}>
              {model
                ? t('app.engine_network', {variant: name, name: model.name})
                : t('app.engine_none', {variant: name})}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

// Where the page is served together with training runs, the server says at which address.
const runs = document.querySelector<HTMLMetaElement>('meta[name="toguz-runs"]')?.content;

export function SettingsView({rules, engine}: {rules: RulesApi; engine: EngineApi}) {
  const toggle = (setting: typeof showNumbers) => (checked: boolean) => void (setting.value = checked);
  return (
    <div class="page-columns">
      <h1 class="unseen">{t('app.settings')}</h1>
      {storageFailed.value && <p class="fault">{t('app.storage_failed')}</p>}
      <section class="panel stack">
        <h2>{t('app.board_settings')}</h2>
        <Samples rules={rules} />
        <div class="settings-switches">
          <Switch
            label={t('board.show_numbers')}
            checked={showNumbers.value}
            onChange={toggle(showNumbers)}
            name="show-numbers"
          />
          <Switch
            label={t('board.show_pit_names')}
            checked={showPitNames.value}
            onChange={toggle(showPitNames)}
            name="show-pit-names"
          />
          <Switch
            label={t('board.show_legal')}
            checked={showLegal.value}
            onChange={toggle(showLegal)}
            name="show-legal"
          />
          <Switch
            label={t('board.show_preview')}
            note={t('board.show_preview_note')}
            checked={showPreview.value}
            onChange={toggle(showPreview)}
            name="show-preview"
          />
        </div>
      </section>
      <section class="panel stack">
        <h2>{t('app.sowing_settings')}</h2>
        <Choice
          label={t('board.speed')}
          value={speed.value}
          onChange={(value) => (speed.value = value)}
          name="speed"
          options={speeds.map((value) => ({value, label: t(`board.speed_${value}`)}))}
        />
        <Switch label={t('board.sound')} checked={soundOn.value} onChange={toggle(soundOn)} name="sound" />
      </section>
      <section class="panel stack">
        <h2>{t('app.page_settings')}</h2>
        <LanguageChoice named />
        <Choice
          label={t('app.theme')}
          value={theme.value}
          onChange={(value) => (theme.value = value)}
          name="theme"
          options={themes.map((value) => ({value, label: t(`app.theme_${value}`)}))}
        />
        <Switch
          label={t('app.shortcuts')}
          note={t('app.shortcuts_note')}
          checked={shortcutsOn.value}
          onChange={toggle(shortcutsOn)}
          name="shortcuts"
        />
        {installOffer.value && (
          <div class="stack">
            <p>{t('app.install_note')}</p>
            <button class="button-main" onClick={() => void install()}>
              {t('app.install')}
            </button>
          </div>
        )}
        {installsByHand() && <p>{t('app.install_by_hand')}</p>}
        {runs && (
          <a href={runs} data-testid="runs">
            {t('app.runs')}
          </a>
        )}
      </section>
      <EngineNote engine={engine} />
    </div>
  );
}
