// The moves with their variations and marks.
import {useEffect, useRef} from 'preact/hooks';
import {IconButton} from '../base/controls';
import type {GameSpec} from '../engine/api';
import {t} from '../i18n';
import {listed, type Listed, type ListedMove} from './logic/move_list';
import {isMain} from './logic/tree';
import {MarkGlyph} from './review/mark';
import {numbering, type StudySession} from './session';

function MoveButton({session, item}: {session: StudySession; item: ListedMove}) {
  const {node, number} = item;
  const current = session.node.value === node;
  const reviewed = session.review.byNode.value.get(node.id);
  return (
    <span class="move-cell">
      {number && <span class="study-number">{number}</span>}
      <button
        type="button"
        class="study-move"
        aria-current={current ? 'step' : undefined}
        tabIndex={current ? 0 : -1}
        onClick={() => session.goTo(node)}
        data-ply={node.ply}
      >
        {node.move}
        {reviewed?.mark && <MarkGlyph mark={reviewed.mark} />}
      </button>
    </span>
  );
}

function Items({session, items}: {session: StudySession; items: Listed[]}) {
  return (
    <>
      {items.map((item) =>
        'variation' in item ? (
          <span key={`v${item.id}`} class="variation" role="group" aria-label={t('study.moves_variation')}>
            <Items session={session} items={item.variation} />
          </span>
        ) : (
          <MoveButton key={item.node.id} session={session} item={item} />
        ),
      )}
    </>
  );
}

interface MovesPanelProps {
  session: StudySession;
  onPlayFrom?: (game: GameSpec) => void;
  onCopy: () => void;
  onDownload: () => void;
}

export function MovesPanel({session, onPlayFrom, onCopy, onDownload}: MovesPanelProps) {
  session.version.value;
  const at = session.node.value;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Only the list scrolls, never the page.
    const box = list.current;
    const move = box?.querySelector<HTMLElement>('[aria-current]');
    if (!box || !move) return;
    const {top, bottom} = move.getBoundingClientRect();
    const frame = box.getBoundingClientRect();
    if (top < frame.top || bottom > frame.bottom) box.scrollTop += top - frame.top - frame.height / 2;
  }, [at]);

  const items = listed(session.tree.value.root, numbering(session));
  return (
    <>
      <div
        class="study-moves"
        dir={items.length ? 'ltr' : undefined}
        ref={list}
        role="group"
        aria-label={t('study.moves')}
        data-testid="study-moves"
      >
        {items.length ? (
          <Items session={session} items={items} />
        ) : (
          <p class="study-note">{t('study.moves_none')}</p>
        )}
      </div>
      <div class="study-buttons">
        {at.parent && !isMain(at) && (
          <>
            <button
              type="button"
              class="button"
              onClick={() => session.promote(at)}
              data-testid="variation-promote"
            >
              {t('study.variation_promote')}
            </button>
          </>
        )}
        {onPlayFrom && !session.state.value.over && (
          <IconButton
            icon="play"
            words
            label={t('study.play_on')}
            name="play-from-here"
            onClick={() => onPlayFrom(session.spec())}
          />
        )}
        <IconButton icon="copy" words label={t('study.copy')} name="study-copy" onClick={onCopy} />
        <IconButton
          icon="download"
          words
          label={t('study.download')}
          name="study-download"
          onClick={onDownload}
        />
        {at.parent && (
          <button
            type="button"
            class="button"
            onClick={() => session.remove(at)}
            data-testid="variation-remove"
          >
            {t('study.variation_remove')}
          </button>
        )}
      </div>
    </>
  );
}
