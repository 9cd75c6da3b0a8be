// Games that come from elsewhere: a link, a file, a text.
import {notify} from '../base/notice';
import {EngineError, type GameSpec, type ReadGame} from '../engine/api';
import {t} from '../i18n';
import {faultText} from '../i18n/fault';
import {readLink} from './link';
import {keep} from './saved';
import type {PlaySession} from './session';
import {twoPeople} from './setup';

// The game under way is not lost: it goes to the saved ones.
function shelve(session: PlaySession): void {
  const game = session.game.peek();
  if (game.moves.peek().length > 0 && !game.ending.peek())
    keep(t(`play.variant_${game.setup.variant}`), session.saved());
}

export function openGame(session: PlaySession, {variant, fen, moves}: GameSpec): void {
  shelve(session);
  session.open({
    setup: {variant, ...(fen === undefined ? {} : {fen}), players: twoPeople, time: null},
    moves,
  });
}

// A game with a fault is opened up to it. Throws EngineError if nothing comes before the fault.
export function openRead(session: PlaySession, {game, fault}: ReadGame): void {
  if (fault && game.moves.length === 0) throw new EngineError(fault);
  openGame(session, game);
  if (fault) notify(t('play.game_fault', {reason: faultText(fault)}), true);
  else notify(t('play.game_opened', {moves: game.moves.length}));
}

export function openLink(session: PlaySession, hash: string): void {
  const read = readLink(hash, session.rules);
  if (!read) return;
  if ('game' in read) {
    openGame(session, read.game);
    notify(t('play.game_opened', {moves: read.game.moves.length}));
  } else {
    notify(t(`play.link_${read.fault}`, {reason: faultText(read.detail)}), true);
  }
}

// A link, a position's text or moves, as somebody pastes it. Throws EngineError.
export function openText(session: PlaySession, text: string): void {
  const {variant} = session.game.peek().setup;
  const trimmed = text.trim();
  const link = /#[gp]=\S+$/.exec(trimmed)?.[0];
  if (link) return openLink(session, link);
  if (trimmed.includes('/') && !trimmed.includes('[')) {
    session.rules.fen(variant, trimmed);
    return openRead(session, {game: {variant, fen: trimmed, moves: []}, tags: {}, result: '*', fault: null});
  }
  const [first] = session.rules.read(trimmed, variant);
  if (!first) throw new EngineError('');
  openRead(session, first);
}
