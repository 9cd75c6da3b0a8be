// The games of people, to be chosen from.
import {useEffect, useState} from 'preact/hooks';
import {Switch} from '../../base/controls';
import {t} from '../../i18n';
import {AboutGames, GamesFilter} from '../explorer/filters';
import type {HumanGame} from '../explorer/games';
import {GameRow} from '../explorer/game_row';
import {filter, games, gamesFailed, loadGames, type Openings} from '../explorer/openings';
import {samples} from '../explorer/tally';

const pageSize = 30;

export function Collection({openings, onOpen}: {openings: Openings; onOpen: (game: HumanGame) => void}) {
  const [shown, setShown] = useState(pageSize);
  const [here, setHere] = useState(false);
  useEffect(() => void loadGames(), []);
  useEffect(() => openings.follow(), [openings]);

  if (gamesFailed.value) return <p role="alert">{t('study.games_failed')}</p>;
  if (!games.value) return <p role="status">{t('study.games_loading')}</p>;
  const list = here ? openings.samples.value : samples(games.value, filter.value);
  return (
    <>
      <GamesFilter />
      <Switch label={t('study.games_starting_here')} checked={here} onChange={setHere} name="games-here" />
      <p role="status" data-testid="games-count">
        {t('study.games_count', {count: list.length})}
      </p>
      <ul class="game-list" data-testid="games">
        {list.slice(0, shown).map((game) => (
          <GameRow key={game.id} game={game} onOpen={onOpen} />
        ))}
      </ul>
      {list.length > shown && (
        <button
          type="button"
          class="button"
          onClick={() => setShown(shown + pageSize)}
          data-testid="games-more"
        >
          {t('study.open_show_more')}
        </button>
      )}
      <AboutGames />
    </>
  );
}
