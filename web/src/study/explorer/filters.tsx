import {formatNumber, t, type Key} from '../../i18n';
import {filter, sources} from './openings';
import {bandEdges, bands, type Band} from './tally';

const known = ['kz2018', 'kz2022', 'playok', 'playstrategy'] as const;

export function sourceName(source: string): string {
  return known.includes(source as (typeof known)[number]) ? t(`study.source_${source}` as Key) : source;
}

function bandName(band: Band): string {
  const low = formatNumber(bandEdges.middle, {useGrouping: false});
  const high = formatNumber(bandEdges.high, {useGrouping: false});
  if (band === 'low') return t('study.band_low', {from: low});
  if (band === 'middle') return t('study.band_middle', {from: low, to: high});
  return band === 'high' ? t('study.band_high', {from: high}) : t('study.band_any');
}

export function GamesFilter() {
  const {source, band} = filter.value;
  return (
    <div class="games-filter">
      <label>
        <span>{t('study.filter_source')}</span>
        <select
          value={source}
          onChange={(event) => (filter.value = {...filter.value, source: event.currentTarget.value})}
          data-testid="filter-source"
        >
          <option value="">{t('study.source_all')}</option>
          {sources().map((one) => (
            <option key={one} value={one}>
              {sourceName(one)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{t('study.filter_band')}</span>
        <select
          value={band}
          onChange={(event) => (filter.value = {...filter.value, band: event.currentTarget.value as Band})}
          data-testid="filter-band"
        >
          {bands.map((one) => (
            <option key={one} value={one}>
              {bandName(one)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

export function AboutGames() {
  return (
    <details class="study-about">
      <summary>{t('study.games_about')}</summary>
      <p>{t('study.games_about_text')}</p>
    </details>
  );
}
