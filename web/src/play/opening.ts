// Games that come from elsewhere: a link, a file, a text.
import {notify} from '../base/notice';
import {
  EngineError,
  variants,
  type GameSpec,
  type ReadGame,
  type RulesApi,
  type Variant,
} from '../engine/api';
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

// The game under way first; the others if the position is of another size.
function positionOf(rules: RulesApi, fen: string, wanted: Variant): GameSpec {
  let fault: unknown;
  for (const variant of [wanted, ...variants.filter((one) => one !== wanted)]) {
    try {
      rules.fen(variant, fen);
      return {variant, fen, moves: []};
    } catch (error) {
      fault ??= error;
    }
  }
  throw fault;
}

// A link, a position's text or moves, as somebody pastes it. Throws EngineError.
export function openText(session: PlaySession, text: string): void {
  const {variant} = session.game.peek().setup;
  const trimmed = text.trim();
  const link = /#[gp]=\S+/.exec(trimmed)?.[0];
  if (link) return openLink(session, link);
  // Two rows of pits; a slash further on may be a draw's, 1/2-1/2.
  if (/^[\w,]+\/[\w,]+(?:\s|$)/.test(trimmed)) {
    const game = positionOf(session.rules, trimmed, variant);
    return openRead(session, {game, tags: {}, result: '*', fault: null});
  }
  const [first] = session.rules.read(trimmed, variant);
  if (!first) throw new EngineError('');
  openRead(session, first);
}
