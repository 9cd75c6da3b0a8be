// The controls of a game.
import {useEffect, useRef, useState} from 'preact/hooks';
import {IconButton} from '../base/controls';
import {Icon, type IconName} from '../base/icon';
import {soundOn} from '../board/settings';
import {t} from '../i18n';
import {dialog, type DialogName} from './dialogs';
import type {PlaySession} from './session';
import {watched} from './setup';

const menuItems = [
  {name: 'games', icon: 'folder'},
  {name: 'share', icon: 'share'},
  {name: 'editor', icon: 'edit'},
  {name: 'help', icon: 'help'},
] as const satisfies {name: DialogName; icon: IconName}[];

function More({session}: {session: PlaySession}) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    box.current?.querySelector<HTMLElement>('.menu button')?.focus();
    const close = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener('pointerdown', close);
    addEventListener('focusin', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('focusin', close);
    };
  }, [open]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return;
    event.stopPropagation();
    setOpen(false);
    box.current?.querySelector<HTMLElement>('button')?.focus();
  };
  const choose = (act: () => void) => () => {
    setOpen(false);
    box.current?.querySelector<HTMLElement>('button')?.focus();
    act();
  };
  return (
    <div class="more" ref={box} onKeyDown={onKeyDown}>
      <button
        type="button"
        class="button-icon"
        aria-label={t('play.more')}
        title={t('play.more')}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        data-testid="more"
      >
        <Icon name="menu" />
      </button>
      {open && (
        <div class="menu panel">
          {menuItems.map(({name, icon}) => (
            <button key={name} onClick={choose(() => (dialog.value = name))} data-testid={`open-${name}`}>
              <Icon name={icon} />
              {t(`play.${name}`)}
            </button>
          ))}
          <button onClick={choose(() => (soundOn.value = !soundOn.value))} data-testid="toggle-sound">
            <Icon name={soundOn.value ? 'silent' : 'sound'} />
            {t(soundOn.value ? 'play.sound_off' : 'play.sound_on')}
          </button>
          <button
            onClick={choose(() => (dialog.value = 'resign'))}
            disabled={session.game.value.ending.value !== null}
            data-testid="open-resign"
          >
            <Icon name="flag" />
            {t('play.resign')}
          </button>
        </div>
      )}
    </div>
  );
}

export function Bar({session}: {session: PlaySession}) {
  const game = session.game.value;
  const goesOn = watched(game.setup) || session.paused.value || game.clock !== null;
  return (
    <div class="bar" role="group" aria-label={t('play.controls')}>
      <button class="button-main" onClick={() => (dialog.value = 'new')} data-testid="new-game">
        <Icon name="add" />
        <span>{t('play.new_game')}</span>
      </button>
      <IconButton
        icon="undo"
        label={t('play.undo')}
        onClick={() => session.undo()}
        disabled={!game.canUndo.value}
        name="undo"
      />
      <IconButton
        icon="redo"
        label={t('play.redo')}
        onClick={() => session.redo()}
        disabled={!game.canRedo.value}
        name="redo"
      />
      {goesOn && !game.ending.value ? (
        <IconButton
          icon={session.paused.value ? 'play' : 'pause'}
          label={t(session.paused.value ? 'play.resume' : 'play.pause')}
          onClick={() => (session.paused.value ? session.resume() : session.pause())}
          name="pause"
        />
      ) : null}
      {!watched(game.setup) && (
        <IconButton
          icon="hint"
          label={t('play.hint')}
          onClick={() => void session.askHint()}
          disabled={!session.canPlay.value}
          name="hint"
        />
      )}
      <IconButton icon="flip" label={t('play.flip')} onClick={() => session.flip()} name="flip" />
      <More session={session} />
    </div>
  );
}
