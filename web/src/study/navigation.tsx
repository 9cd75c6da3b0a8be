// Stepping through a game by buttons and keys. Not mirrored for right-to-left languages, like the controls
// of a player; the board is not either.
import {IconButton} from '../base/controls';
import {t} from '../i18n';
import type {StudySession} from './session';

export function Navigation({session, onFlip}: {session: StudySession; onFlip: () => void}) {
  const at = session.node.value;
  session.version.value; // children may have come or gone
  const atStart = !at.parent;
  const atEnd = at.children.length === 0;
  return (
    <>
      <div class="study-nav" dir="ltr" role="group" aria-label={t('study.nav')}>
        <IconButton
          icon="first"
          label={t('study.nav_first')}
          name="nav-first"
          disabled={atStart}
          onClick={() => session.toStart()}
        />
        <IconButton
          icon="previous"
          label={t('study.nav_previous')}
          name="nav-previous"
          disabled={atStart}
          onClick={() => session.back()}
        />
        <IconButton
          icon="next"
          label={t('study.nav_next')}
          name="nav-next"
          disabled={atEnd}
          onClick={() => session.forward()}
        />
        <IconButton
          icon="last"
          label={t('study.nav_last')}
          name="nav-last"
          disabled={atEnd}
          onClick={() => session.toEnd()}
        />
        <IconButton icon="flip" label={t('study.nav_flip')} name="nav-flip" onClick={onFlip} />
      </div>
      <p class="study-note study-keys">{t('study.nav_keys')}</p>
    </>
  );
}

function sibling(session: StudySession, step: number): void {
  const at = session.node.value;
  const siblings = at.parent?.children ?? [];
  session.goTo(siblings[siblings.indexOf(at) + step]);
}

const needsKeys = 'input, textarea, select, [contenteditable], [role="slider"], [role="tab"], dialog';

// Arrows on the board go from pit to pit; for who plays by pointer they go through the game as elsewhere.
let byPointer = false;

function isNeeded(target: Element | null): boolean {
  if (target?.closest?.(needsKeys)) return true;
  return !byPointer && target?.closest?.('.board') !== null;
}

// Keys of the whole page, as long as `wanted`. Returns what ends that.
export function followKeys(session: StudySession, wanted: () => boolean): () => void {
  const onPointer = () => (byPointer = true);
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Tab') byPointer = false;
    // Before the board has it.
    if (wanted() && navigateByKey(session, event)) event.stopPropagation();
  };
  addEventListener('pointerdown', onPointer, true);
  addEventListener('keydown', onKey, true);
  return () => {
    removeEventListener('pointerdown', onPointer, true);
    removeEventListener('keydown', onKey, true);
  };
}

// Whether the key was one of these.
function navigateByKey(session: StudySession, event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (isNeeded(event.target as Element | null)) return false;
  const deeds: Record<string, () => void> = {
    ArrowLeft: () => session.back(),
    ArrowRight: () => session.forward(),
    ArrowUp: () => sibling(session, -1),
    ArrowDown: () => sibling(session, 1),
    Home: () => session.toStart(),
    End: () => session.toEnd(),
  };
  const deed = Object.hasOwn(deeds, event.key) ? deeds[event.key] : undefined;
  // Where there are no variations, up and down scroll as ever.
  if (
    event.key.startsWith('Arrow') &&
    /Up|Down/.test(event.key) &&
    (session.node.value.parent?.children.length ?? 0) < 2
  )
    return false;
  if (!deed) return false;
  event.preventDefault();
  deed();
  return true;
}
