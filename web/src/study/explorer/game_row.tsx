// A game of people in a list.
import {t} from '../../i18n';
import {sourceName} from './filters';
import type {HumanGame, Result} from './games';

const resultTexts: Record<NonNullable<Result>, string> = {first: '1–0', draw: '½–½', second: '0–1'};

export function resultWords(result: Result): string {
  return t(`study.result_${result ?? 'unknown'}`);
}

export function GameRow({game, onOpen}: {game: HumanGame; onOpen: (game: HumanGame) => void}) {
  const ratings = game.elo.some((elo) => elo !== null) ? game.elo.map((elo) => elo ?? '?').join(' – ') : '';
  const name = sourceName(game.source);
  const date = name.includes(game.date) ? '' : game.date;
  const details = [date, game.round && t('study.game_round', {round: game.round})].filter(Boolean);
  return (
    <li>
      <button type="button" class="game-row" onClick={() => onOpen(game)} data-testid={`game-${game.id}`}>
        <span class="game-source">{name}</span>
        <span class="game-details">
          {details.map((detail) => (
            <span key={detail}>{detail}</span>
          ))}
          {ratings && <span dir="ltr">{ratings}</span>}
          <span>{t('study.game_moves', {count: game.pits.length})}</span>
        </span>
        <span
          class={`game-result game-result-${game.result ?? 'unknown'}`}
          dir="ltr"
          title={resultWords(game.result)}
        >
          <span aria-hidden="true">{game.result ? resultTexts[game.result] : '?'}</span>
          <span class="unseen">{resultWords(game.result)}</span>
        </span>
      </button>
    </li>
  );
}
