// The moves in notation, two columns; a click looks at the position after a move.
import {useEffect, useRef} from 'preact/hooks';
import {IconButton} from '../base/controls';
import {sideName} from '../board/words';
import type {Side} from '../engine/api';
import {t} from '../i18n';
import type {Game} from './game';

interface Row {
  number: number;
  plies: [number | null, number | null]; // after the move
}

export function rowsOf(plies: number, firstToMove: Side): Row[] {
  const rows: Row[] = [];
  for (let ply = 1; ply <= plies; ++ply) {
    const column = ((ply - 1 + firstToMove) % 2) as Side;
    if (column === 0 || rows.length === 0) rows.push({number: rows.length + 1, plies: [null, null]});
    rows.at(-1)!.plies[column] = ply;
  }
  return rows;
}

export function MoveList({game}: {game: Game}) {
  const list = useRef<HTMLOListElement>(null);
  const {moves} = game.state.value;
  const at = game.lookedAt.value ?? moves.length;
  const rows = rowsOf(moves.length, game.sideAt(0));
  useEffect(() => {
    const box = list.current;
    const current = box?.querySelector<HTMLElement>('[aria-current]');
    if (!box) return;
    // Not scrollIntoView: that would scroll the page too.
    if (!current) box.scrollTop = 0;
    else if (
      current.offsetTop < box.scrollTop ||
      current.offsetTop + current.offsetHeight > box.scrollTop + box.clientHeight
    )
      box.scrollTop = current.offsetTop - box.clientHeight / 2;
  }, [at, moves.length]);

  const cell = (row: Row, side: Side) => {
    const ply = row.plies[side];
    if (ply === null)
      return (
        <span class="move move-none" aria-hidden="true">
          {side === 0 && row.plies[1] !== null ? '…' : ''}
        </span>
      );
    const move = moves[ply - 1]!;
    return (
      <button
        class="move"
        onClick={() => game.look(ply)}
        aria-current={ply === at ? 'step' : undefined}
        aria-label={t('play.move_name', {side: sideName(side), number: row.number, move})}
        data-testid={`move-${ply}`}
      >
        {move}
      </button>
    );
  };
  return (
    <section class="moves" aria-label={t('play.moves')}>
      <div class="moves-look">
        <IconButton
          icon="first"
          label={t('play.look_first')}
          onClick={() => game.look(0)}
          disabled={at === 0}
          name="look-first"
        />
        <IconButton
          icon="previous"
          label={t('play.look_previous')}
          onClick={() => game.look(at - 1)}
          disabled={at === 0}
          name="look-previous"
        />
        <IconButton
          icon="next"
          label={t('play.look_next')}
          onClick={() => game.look(at + 1)}
          disabled={at === moves.length}
          name="look-next"
        />
        <IconButton
          icon="last"
          label={t('play.look_last')}
          onClick={() => game.look(null)}
          disabled={at === moves.length}
          name="look-last"
        />
      </div>
      {rows.length === 0 && <p class="moves-none">{t('play.moves_none')}</p>}
      <ol class="moves-list" ref={list} dir="ltr" data-testid="moves">
        {rows.map((row) => (
          <li key={row.number}>
            <span class="move-number">{row.number}.</span>
            {cell(row, 0)}
            {cell(row, 1)}
          </li>
        ))}
      </ol>
    </section>
  );
}
