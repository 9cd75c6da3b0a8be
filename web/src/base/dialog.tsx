import {signal} from '@preact/signals';
import type {ComponentChildren} from 'preact';
import {useId, useLayoutEffect, useRef} from 'preact/hooks';
import {t} from '../i18n';
import {Announcer} from './announce';
import {Icon} from './icon';
import {Notice} from './notice';

// All else on the page is out of reach while one is open.
export const openDialogs = signal(0);

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  name: string; // for tests
  wide?: boolean;
}

// The browser's own: it keeps the focus within, and gives it back when closed.
export function Dialog({title, onClose, children, name, wide}: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const dialog = box.current!;
    dialog.showModal();
    ++openDialogs.value;
    return () => {
      --openDialogs.value;
      dialog.close();
    };
  }, []);
  return (
    <dialog
      ref={box}
      class={`dialog${wide ? ' dialog-wide' : ''}`}
      aria-labelledby={titleId}
      data-testid={name}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => event.target === box.current && onClose()}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={titleId}>{title}</h2>
          <button
            class="button-plain"
            aria-label={t('app.close')}
            onClick={onClose}
            data-testid="dialog-close"
          >
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
      <Notice />
      <Announcer />
    </dialog>
  );
}
