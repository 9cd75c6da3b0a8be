// The opening explorer: what people played here, how often, and how it went.
import {useEffect, useState} from 'preact/hooks';
import {t} from '../../i18n';
import type {StudySession} from '../session';
import {ResultBar, ResultKey, countText} from './bar';
import {AboutGames, GamesFilter} from './filters';
import type {HumanGame} from './games';
import {GameRow} from './game_row';
import {games, gamesFailed, gamesVariant, loadGames, type Openings} from './openings';
import type {MoveTally, Tally} from './tally';

const fewSamples = 5;
const moreSamples = 20;

interface OpeningsPanelProps {
  session: StudySession;
  openings: Openings;
  onOpen: (game: HumanGame, ply: number) => void;
}

function MoveRow({session, move, text}: {session: StudySession; move: MoveTally; text: string}) {
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          class="line-move"
          dir="ltr"
          aria-label={t('study.openings_play', {move: text})}
          onClick={() => session.play(move.pit)}
          data-testid={`opening-${move.pit}`}
        >
          {text}
        </button>
      </th>
      <td class="openings-count">{countText(move.games)}</td>
      <td class="openings-bar">
        <ResultBar counts={move} />
      </td>
    </tr>
  );
}

function Moves({session, all}: {session: StudySession; all: Tally}) {
  const landings = session.state.value.over ? [] : session.rules.landings(session.spec());
  const textOf = (pit: number) => landings.find((landing) => landing.pit === pit)?.move ?? String(pit);
  return (
    <table class="openings" data-testid="openings">
      <thead>
        <tr>
          <th scope="col">{t('study.openings_move')}</th>
          <th scope="col">{t('study.openings_games')}</th>
          <th scope="col">{t('study.openings_results')}</th>
        </tr>
      </thead>
      <tbody>
        {all.moves.map((move) => (
          <MoveRow key={move.pit} session={session} move={move} text={textOf(move.pit)} />
        ))}
        <tr class="openings-all">
          <th scope="row">{t('study.openings_all')}</th>
          <td class="openings-count">{countText(all.games)}</td>
          <td class="openings-bar">
            <ResultBar counts={all} />
          </td>
        </tr>
      </tbody>
    </table>
  );
}

export function OpeningsPanel({session, openings, onOpen}: OpeningsPanelProps) {
  const [shown, setShown] = useState(fewSamples);
  useEffect(() => void loadGames(), []);
  useEffect(() => openings.follow(), [openings]);
  const {fen, variant} = session.state.value;
  useEffect(() => setShown(fewSamples), [fen]);

  if (variant !== gamesVariant)
    return (
      <>
        <p>{t('study.games_standard_only')}</p>
        <AboutGames />
      </>
    );
  if (gamesFailed.value) return <p role="alert">{t('study.games_failed')}</p>;
  const all = openings.tally.value;
  const reached = openings.reached.value;
  if (!games.value || !all || !reached) return <p role="status">{t('study.games_loading')}</p>;
  const list = openings.samples.value;
  return (
    <>
      <GamesFilter />
      <p data-testid="openings-reached" data-merged={reached.merged}>
        {t('study.openings_reached', {count: all.games})}
        {!reached.merged && <span class="study-note"> {t('study.openings_merging')}</span>}
      </p>
      {all.games > 0 && (
        <>
          <Moves session={session} all={all} />
          <ResultKey />
          {all.stopped > 0 && <p class="study-note">{t('study.openings_stopped', {count: all.stopped})}</p>}
          <h3>{t('study.openings_samples')}</h3>
          <ul class="game-list">
            {list.slice(0, shown).map((game) => (
              <GameRow key={game.id} game={game} onOpen={(one) => onOpen(one, reached.ply)} />
            ))}
          </ul>
          {list.length > shown && (
            <button
              type="button"
              class="button"
              onClick={() => setShown(shown + moreSamples)}
              data-testid="samples-more"
            >
              {t('study.open_show_more')}
            </button>
          )}
        </>
      )}
      <AboutGames />
    </>
  );
}
