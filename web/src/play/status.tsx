// What is happening, in a line; at the end the result and what can be done next.
import {IconButton} from '../base/controls';
import {sideName} from '../board/words';
import {useEffect} from 'preact/hooks';
import {announce} from '../base/announce';
import {hintText} from '../i18n/hint';
import {t} from '../i18n';
import {dialog} from './dialogs';
import type {PlaySession} from './session';
import {ownSide, watched} from './setup';
import {reasonWords, resultWords} from './words';

function line(session: PlaySession): string {
  const game = session.game.value;
  const ply = game.lookedAt.value;
  if (ply !== null) return t('play.looking_back', {ply});
  if (session.sower.shown.value) return t('play.sowing');
  const {turn, compelled} = game.state.value;
  if (session.paused.value && (watched(game.setup) || game.setup.players[turn].kind === 'engine'))
    return t('play.paused');
  if (game.setup.players[turn].kind === 'engine') return t('play.turn_of_engine');
  const whose =
    ownSide(game.setup) === null ? t('play.turn_of', {side: sideName(turn)}) : t('play.your_turn');
  return compelled ? `${whose}. ${t('play.compelled')}` : whose;
}

function Ending({session, onReview}: StatusProps) {
  const game = session.game.value;
  const ending = game.ending.value!;
  const {kazan} = game.state.value;
  const swapped = () =>
    session.open({setup: {...game.setup, players: [game.setup.players[1], game.setup.players[0]]}});
  return (
    <div class="ending" data-testid="ending" data-result={ending.result} data-reason={ending.reason}>
      <p class="ending-result">
        <strong>{resultWords(ending)}</strong> <span dir="ltr">{`${kazan[0]} : ${kazan[1]}`}</span>
      </p>
      <p>{reasonWords(game.rules, ending)}</p>
      <div class="actions">
        <IconButton
          icon="redo"
          words
          label={t(ownSide(game.setup) === null ? 'play.play_again' : 'play.play_again_swapped')}
          onClick={ownSide(game.setup) === null ? () => session.open({setup: game.setup}) : swapped}
          name="again"
        />
        {game.moves.value.length > 0 && (
          <IconButton icon="study" words label={t('play.review_game')} onClick={onReview} name="review" />
        )}
        <IconButton
          icon="add"
          words
          label={t('play.new_game')}
          onClick={() => (dialog.value = 'new')}
          name="ending-new"
        />
      </div>
    </div>
  );
}

interface StatusProps {
  session: PlaySession;
  onReview: () => void;
}

export function Status({session, onReview}: StatusProps) {
  const game = session.game.value;
  const looking = game.lookedAt.value;
  const atEnd = game.ending.value && looking === null && !session.sower.shown.value;
  return (
    <div class="status">
      {atEnd ? (
        <Ending session={session} onReview={onReview} />
      ) : (
        <p class="status-line" data-testid="status">
          {line(session)}
        </p>
      )}
      {looking !== null && (
        <div class="actions">
          <button class="button" onClick={() => game.look(null)} data-testid="back-to-game">
            {t('play.back_to_game')}
          </button>
          {!game.viewed.value.over && (
            <button class="button" onClick={() => session.backTo(looking)} data-testid="continue-here">
              {t('play.continue_from_here')}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

export function HintPanel({session}: {session: PlaySession}) {
  const hint = session.hint.value;
  const {rules} = session.game.value;
  const words = hint?.facts ? hintText(hint.facts, rules) : t('play.hint_looking');
  useEffect(() => {
    if (hint?.facts) announce(words);
  }, [hint]);
  if (!hint) return null;
  return (
    <div class="hint" data-testid="hint-text">
      <p>{words}</p>
      <div class="actions">
        {hint.facts && (
          <button class="button-main" onClick={() => session.play(hint.facts!.pit)} data-testid="hint-play">
            {t('play.hint_play')}
          </button>
        )}
        <IconButton
          icon="close"
          label={t('play.hint_close')}
          onClick={() => session.dropHint()}
          name="hint-close"
        />
      </div>
    </div>
  );
}
