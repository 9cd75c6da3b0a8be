// The rules in short.
import {Board} from '../board/board';
import type {RulesApi} from '../engine/api';
import {t} from '../i18n';

const pits = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

export function AboutView({rules}: {rules: RulesApi}) {
  const majority = rules.rules('giveaway').majority;
  return (
    <article class="about panel">
      <h1>{t('app.about_title')}</h1>
      <div class="about-board" inert>
        <Board rules={rules.rules('standard')} position={rules.state({variant: 'standard', moves: []})} />
      </div>
      <p>{t('app.about_lead')}</p>
      <h2>{t('app.about_move_title')}</h2>
      <p>{t('app.about_move')}</p>
      <h2>{t('app.about_capture_title')}</h2>
      <p>{t('app.about_capture')}</p>
      <h2>{t('app.about_tuzdik_title')}</h2>
      <p>{t('app.about_tuzdik')}</p>
      <h2>{t('app.about_end_title')}</h2>
      <p>{t('app.about_end')}</p>
      <p>{t('app.about_repetition')}</p>
      <dl class="about-variants">
        <dt>{t('play.variant_standard')}</dt>
        <dd>{t('app.about_standard')}</dd>
        <dt>{t('play.variant_giveaway')}</dt>
        <dd>{t('app.about_giveaway', {majority})}</dd>
        <dt>{t('play.variant_bestemshe')}</dt>
        <dd>{t('app.about_bestemshe')}</dd>
        <dt>{t('play.variant_seven')}</dt>
        <dd>{t('app.about_seven')}</dd>
      </dl>
      <h2>{t('app.about_names_title')}</h2>
      <ol class="about-names">
        {pits.map((pit) => (
          <li key={pit}>{t(`app.pit_${pit}`)}</li>
        ))}
      </ol>
      <h2>{t('app.about_notation_title')}</h2>
      <p>{t('app.about_notation')}</p>
      <h2>{t('app.about_page_title')}</h2>
      <p>{t('app.about_page')}</p>
    </article>
  );
}
