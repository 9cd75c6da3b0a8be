// A player: name, whose turn, clock.
import {useEffect, useState} from 'preact/hooks';
import {sideName} from '../board/words';
import type {Side} from '../engine/api';
import {t} from '../i18n';
import {clockText, type Clock} from './clock';
import type {PlaySession} from './session';
import {playerName} from './words';

function ClockFace({clock, side}: {clock: Clock; side: Side}) {
  const [, redraw] = useState(0);
  const runs = clock.running.value === side;
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => redraw((n) => n + 1), clock.of(side) < 20_000 ? 100 : 250);
    return () => clearInterval(timer);
  }, [runs, clock, side, runs && clock.of(side) < 20_000]);
  const left = clock.of(side);
  return (
    <span
      class={`clock${runs ? ' clock-runs' : ''}${left < 20_000 ? ' clock-short' : ''}`}
      role="timer"
      aria-label={t('play.clock_name', {side: sideName(side)})}
      data-testid={`clock-${side}`}
      dir="ltr"
    >
      {clockText(left)}
    </span>
  );
}

export function Plate({session, side}: {session: PlaySession; side: Side}) {
  const game = session.game.value;
  const {turn} = game.viewed.value;
  const moves = turn === side && !game.ending.value;
  const winner = game.ending.value?.winner === side;
  const thinking = moves && session.thinking.value && game.lookedAt.value === null;
  return (
    <div class={`plate plate${side}${moves ? ' plate-moves' : ''}`} data-testid={`plate-${side}`}>
      <span class="plate-side" aria-hidden="true" />
      <span class="plate-name">{playerName(game.setup, side)}</span>
      {winner && <span class="plate-winner">{t('play.winner')}</span>}
      {thinking && <span class="plate-thinking" role="img" aria-label={t('play.thinking')} />}
      {game.clock && <ClockFace clock={game.clock} side={side} />}
    </div>
  );
}
