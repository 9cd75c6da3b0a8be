import {isBoolean, isOneOf, kept} from '../base/storage';

export const boardStyles = ['wood', 'walnut', 'steppe', 'felt', 'plain'] as const;
export type BoardStyle = (typeof boardStyles)[number];

export const speeds = ['slow', 'normal', 'fast', 'instant'] as const;
export type Speed = (typeof speeds)[number];

export const boardStyle = kept<BoardStyle>('board.style', 'wood', isOneOf(boardStyles));
export const speed = kept<Speed>('board.speed', 'normal', isOneOf(speeds));
export const showNumbers = kept('board.numbers', true, isBoolean);
export const showPitNames = kept('board.pits', true, isBoolean);
export const showLegal = kept('board.legal', true, isBoolean);
export const showPreview = kept('board.preview', true, isBoolean);
export const soundOn = kept('board.sound', false, isBoolean);
