import {Dialog} from '../base/dialog';
import {t, type Key} from '../i18n';
import {closeDialog} from './dialogs';
import {shortcuts} from './keys';
import type {PlaySession} from './session';

export function ResignDialog({session}: {session: PlaySession}) {
  return (
    <Dialog title={t('play.resign')} onClose={closeDialog} name="resign-dialog">
      <p>{t('play.resign_question')}</p>
      <div class="actions actions-end">
        <button class="button" onClick={closeDialog}>
          {t('play.cancel')}
        </button>
        <button
          class="button button-danger"
          onClick={() => {
            closeDialog();
            session.resign();
          }}
          data-testid="resign-confirm"
        >
          {t('play.resign_confirm')}
        </button>
      </div>
    </Dialog>
  );
}

const board: [string[], Key][] = [
  [['1', '…', '9'], 'play.help_digit'],
  [['←', '→', '↑', '↓'], 'play.help_arrows'],
  [['Enter'], 'play.help_enter'],
  [['Space'], 'play.help_space'],
];

export function HelpDialog() {
  const line = ([keys, meaning]: [string[], Key]) => (
    <div key={meaning}>
      <dt dir="ltr">
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{t(meaning)}</dd>
    </div>
  );
  return (
    <Dialog title={t('play.help')} onClose={closeDialog} name="help-dialog">
      <h3>{t('play.help_board')}</h3>
      <dl class="keys">{board.map(line)}</dl>
      <p>{t('play.help_press')}</p>
      <h3>{t('play.help_keys')}</h3>
      <dl class="keys">
        {shortcuts.map(({key, meaning}) => line([[key.toUpperCase()], meaning]))}
        {line([[',', '.'], 'play.help_look'])}
      </dl>
      <p>{t('play.help_off')}</p>
    </Dialog>
  );
}
