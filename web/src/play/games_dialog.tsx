// Games kept on the device, and files.
import {useRef, useState} from 'preact/hooks';
import {IconButton} from '../base/controls';
import {Dialog} from '../base/dialog';
import {Icon} from '../base/icon';
import {notify} from '../base/notice';
import {EngineError, type ReadGame} from '../engine/api';
import {formatDate, t} from '../i18n';
import {faultText} from '../i18n/fault';
import {closeDialog} from './dialogs';
import {download, pgnOf} from './export';
import {openRead} from './opening';
import {drop, keep, shelf, type NamedGame} from './saved';
import type {PlaySession} from './session';
import {playerName} from './words';

const largestFile = 4_000_000;
const mostListed = 200;

function Shelf({session}: {session: PlaySession}) {
  const game = session.game.value;
  const [name, setName] = useState(`${playerName(game.setup, 0)} – ${playerName(game.setup, 1)}`);
  const save = () => {
    if (keep(name.trim() || t(`play.variant_${game.setup.variant}`), session.saved()))
      notify(t('play.saved'));
    else notify(t('play.save_failed'), true);
  };
  const open = ({game: saved}: NamedGame) => {
    try {
      session.open(saved, saved.flipped);
      if (saved.left) session.pause();
      closeDialog();
    } catch (error) {
      notify(t('play.game_fault', {reason: faultText((error as Error).message)}), true);
    }
  };
  return (
    <>
      <form
        class="save-line"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <label class="field">
          <span class="label">{t('play.save_name')}</span>
          <input
            type="text"
            maxLength={80}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
            data-testid="save-name"
          />
        </label>
        <button type="submit" class="button-main" data-testid="save">
          <Icon name="save" />
          {t('play.save')}
        </button>
      </form>
      <h3>{t('play.saved_games')}</h3>
      {shelf.value.length === 0 && <p class="quiet">{t('play.saved_none')}</p>}
      <ul class="shelf" data-testid="shelf">
        {shelf.value.map((named) => (
          <li key={named.id}>
            <button class="shelf-open" onClick={() => open(named)} data-testid="shelf-open">
              <strong>{named.name}</strong>
              <small>
                {t('play.saved_detail', {
                  variant: t(`play.variant_${named.game.setup.variant}`),
                  moves: named.game.moves.length,
                  date: formatDate(new Date(named.when), {dateStyle: 'short', timeStyle: 'short'}),
                })}
              </small>
            </button>
            <IconButton
              icon="close"
              label={t('play.delete', {name: named.name})}
              onClick={() => drop(named.id)}
              name="shelf-delete"
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function titleOf({tags, game}: ReadGame, number: number): string {
  const players = [tags.White ?? tags.First, tags.Black ?? tags.Second].filter(Boolean).join(' – ');
  return `${number}. ${players || t(`play.variant_${game.variant}`)}`;
}

function Files({session}: {session: PlaySession}) {
  const input = useRef<HTMLInputElement>(null);
  const [found, setFound] = useState<ReadGame[]>([]);
  const open = (game: ReadGame) => {
    try {
      openRead(session, game);
      closeDialog();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      notify(t('play.file_unreadable', {reason: faultText(error.message)}), true);
    }
  };
  const read = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > largestFile) return notify(t('play.file_too_large'), true);
    try {
      const games = session.rules.read(await file.text(), session.game.peek().setup.variant);
      if (games.length === 1) open(games[0]!);
      else setFound(games);
    } catch (error) {
      if (!(error instanceof EngineError) && !(error instanceof DOMException)) throw error;
      notify(t('play.file_unreadable', {reason: faultText(error.message)}), true);
    }
  };
  return (
    <>
      <h3>{t('play.file')}</h3>
      <div class="actions">
        <IconButton
          icon="download"
          words
          label={t('play.download')}
          onClick={() => download(pgnOf(session), `toguz-${session.game.peek().setup.variant}.pgn`)}
          name="download"
        />
        <IconButton
          icon="upload"
          words
          label={t('play.upload')}
          onClick={() => input.current?.click()}
          name="upload"
        />
        <input
          ref={input}
          type="file"
          class="unseen"
          tabIndex={-1}
          aria-hidden="true"
          accept=".pgn,.txt,.tkg,text/plain"
          onChange={(event) => {
            void read(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
          data-testid="upload-input"
        />
      </div>
      <p class="quiet">{t('play.upload_note')}</p>
      {found.length > 0 && (
        <>
          <h3>{t('play.file_holds', {games: found.length})}</h3>
          <ul class="shelf" data-testid="file-games">
            {found.slice(0, mostListed).map((game, i) => (
              <li key={i}>
                <button class="shelf-open" onClick={() => open(game)}>
                  <strong>{titleOf(game, i + 1)}</strong>
                  <small>{`${game.game.moves.length} · ${game.result}`}</small>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

export function GamesDialog({session}: {session: PlaySession}) {
  return (
    <Dialog title={t('play.games')} onClose={closeDialog} name="games-dialog">
      <Shelf session={session} />
      <Files session={session} />
    </Dialog>
  );
}
