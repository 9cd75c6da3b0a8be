// The marks of a review: a glyph and a shape, so that they do not hang on colour.
import type {Mark} from '../../engine/api';
import {t} from '../../i18n';

const names = {'!': 'good', '?!': 'inaccuracy', '?': 'mistake', '??': 'blunder'} as const;

export function markName(mark: Mark): (typeof names)[keyof typeof names] | null {
  return mark ? names[mark] : null;
}

export function markWords(mark: Mark): string {
  const name = markName(mark);
  return name ? t(`study.mark_${name}`) : '';
}

export function MarkGlyph({mark}: {mark: Mark}) {
  const name = markName(mark);
  if (!name) return null;
  return (
    <span class={`mark mark-${name}`} title={markWords(mark)}>
      <span aria-hidden="true" dir="ltr">
        {mark}
      </span>
      <span class="unseen"> {markWords(mark)}</span>
    </span>
  );
}
