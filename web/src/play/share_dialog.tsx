// The game as a link, as moves and as a position; and the other way.
import {useId, useState} from 'preact/hooks';
import {IconButton} from '../base/controls';
import {Dialog} from '../base/dialog';
import {notify} from '../base/notice';
import {EngineError} from '../engine/api';
import {t} from '../i18n';
import {faultText} from '../i18n/fault';
import {closeDialog} from './dialogs';
import {linkOf} from './link';
import {openText} from './opening';
import type {PlaySession} from './session';

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(t('play.copied'));
  } catch {
    notify(t('play.copy_failed'), true);
  }
}

function Text({label, text, name}: {label: string; text: string; name: string}) {
  const id = useId();
  return (
    <div class="share-text">
      <label class="label" for={id}>
        {label}
      </label>
      <textarea
        id={id}
        readOnly
        rows={Math.min(4, 1 + Math.floor(text.length / 48))}
        dir="ltr"
        value={text}
        onFocus={(event) => event.currentTarget.select()}
        data-testid={`share-${name}`}
      />
      <IconButton
        icon="copy"
        label={`${t('play.copy')}: ${label}`}
        onClick={() => void copy(text)}
        name={`copy-${name}`}
      />
    </div>
  );
}

export function ShareDialog({session}: {session: PlaySession}) {
  const game = session.game.value;
  const [pasted, setPasted] = useState('');
  const spec = game.spec();
  const address = `${location.href.split('#')[0]}${linkOf(spec)}`;
  const open = () => {
    try {
      openText(session, pasted);
      closeDialog();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      notify(t('play.file_unreadable', {reason: faultText(error.message)}), true);
    }
  };
  return (
    <Dialog title={t('play.share')} onClose={closeDialog} name="share-dialog">
      <Text label={t('play.share_link')} text={address} name="link" />
      {location.protocol === 'file:' && <p class="quiet">{t('play.share_from_disk')}</p>}
      {'share' in navigator && location.protocol !== 'file:' && (
        <IconButton
          icon="share"
          words
          label={t('play.share_system')}
          onClick={() => void navigator.share({title: t('app.title'), url: address}).catch(() => {})}
          name="share-system"
        />
      )}
      {spec.moves.length > 0 && (
        <Text label={t('play.share_moves')} text={session.rules.text(spec)} name="moves" />
      )}
      <Text label={t('play.share_position')} text={game.viewed.value.fen} name="position" />
      <h3>{t('play.paste')}</h3>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          open();
        }}
      >
        <label class="field">
          <span class="label">{t('play.paste_label')}</span>
          <textarea
            rows={3}
            dir="ltr"
            maxLength={100_000}
            value={pasted}
            onInput={(event) => setPasted(event.currentTarget.value)}
            data-testid="paste"
          />
        </label>
        <div class="actions actions-end">
          <button type="submit" class="button-main" disabled={pasted.trim() === ''} data-testid="paste-open">
            {t('play.open')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
