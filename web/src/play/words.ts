import {sideName} from '../board/words';
import type {Rules, Side, State} from '../engine/api';
import {t} from '../i18n';
import type {Ending, Player, Setup} from './setup';
import {ownSide} from './setup';

export function playerName(setup: Setup, side: Side): string {
  const player: Player = setup.players[side];
  if (player.kind === 'engine') return t('play.engine_level', {level: player.level});
  return ownSide(setup) === side ? t('play.you') : t('play.player', {side: sideName(side)});
}

export function reasonWords(rules: Rules, {reason, winner}: Ending): string {
  const side = winner === null ? 'none' : sideName(winner);
  const loser = winner === null ? 'none' : sideName(winner === 0 ? 1 : 0);
  switch (reason) {
    case 'majority':
      return t(rules.giveaway ? 'play.reason_majority_giveaway' : 'play.reason_majority', {
        balls: rules.majority,
        side: rules.giveaway ? loser : side,
      });
    case 'no_moves':
      return t('play.reason_no_moves');
    case 'repetition':
      return t('play.reason_repetition');
    case 'ply_cap':
      return t('play.reason_ply_cap');
    case 'resignation':
      return t('play.reason_resignation', {side: loser});
    case 'time':
      return t('play.reason_time', {side: loser});
  }
}

export function resultWords({winner}: Ending): string {
  return winner === null ? t('play.draw') : t('play.wins', {side: sideName(winner)});
}

export function endingWords(rules: Rules, ending: Ending, {kazan}: State): string {
  return `${resultWords(ending)} ${kazan[0]}–${kazan[1]}. ${reasonWords(rules, ending)}`;
}
