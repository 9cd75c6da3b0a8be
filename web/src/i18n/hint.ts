// Words for the facts of a move, as play/hint.cpp (explain) puts them in English: which facts are worth
// saying is decided alike; here each is a sentence of its own, which every language can put in its order.
import type {Capture, MoveFacts, Rules} from '../engine/api';
import {formatPercent, t} from './index';

// Smaller changes of what can be captured are not worth words.
const worthSaying = 4;
const mostDeeds = 3;

function endSentence({score, own, other}: NonNullable<MoveFacts['end']>): string {
  if (score > 0) return t('hint.wins', {own, other});
  if (score < 0) return t('hint.loses', {own, other});
  return t('hint.draws', {own, other});
}

function giveawayDeeds(facts: MoveFacts): string[] {
  const {capture, chanceBefore, dangerAfter, only} = facts;
  const said: string[] = [];
  if (capture.tuzdik) said.push(t('hint.makes_tuzdik', {pit: capture.tuzdik}));
  else if (capture.pit) {
    const least = capture.balls === chanceBefore.balls && !only;
    said.push(t(least ? 'hint.takes_only' : 'hint.takes', {balls: capture.balls}));
  }
  if (dangerAfter.pit) said.push(t('hint.makes_take', {balls: dangerAfter.balls}));
  return said;
}

function ownCapture({capture, chanceBefore, only}: MoveFacts): string[] {
  if (capture.tuzdik) return [t('hint.makes_tuzdik', {pit: capture.tuzdik})];
  if (!capture.pit) return [];
  const most =
    capture.balls === chanceBefore.balls && !chanceBefore.tuzdik && capture.balls >= worthSaying && !only;
  return [t(most ? 'hint.captures_most' : 'hint.captures', {balls: capture.balls})];
}

function averted(before: Capture, after: Capture): string[] {
  if (before.tuzdik || after.tuzdik || before.balls - after.balls < worthSaying) return [];
  return after.pit
    ? [t('hint.leaves_less', {balls: after.balls, before: before.balls})]
    : [t('hint.saves', {balls: before.balls, pit: before.pit})];
}

function threat({chanceAfter, newChance}: MoveFacts): string[] {
  const {pit, balls, tuzdik} = chanceAfter;
  if (!newChance) return [];
  if (tuzdik) return [t('hint.threatens_tuzdik', {tuzdik, pit})];
  return balls >= worthSaying ? [t('hint.threatens_capture', {balls, pit})] : [];
}

// What the move does, the weightiest first.
function deeds(facts: MoveFacts, rules: Rules): string[] {
  if (rules.giveaway) return giveawayDeeds(facts);
  return [
    ...ownCapture(facts),
    ...(facts.preventedTuzdik ? [t('hint.prevents_tuzdik', {pit: facts.preventedTuzdik})] : []),
    ...averted(facts.dangerBefore, facts.dangerAfter),
    ...threat(facts),
    ...(facts.intoOwnTuzdik ? [t('hint.drops_into_tuzdik', {balls: facts.intoOwnTuzdik})] : []),
  ];
}

function danger({dangerBefore, dangerAfter: {pit, balls, tuzdik}, endangered}: MoveFacts): string[] {
  if (!pit) return dangerBefore.balls > 0 ? [t('hint.danger_none')] : [];
  if (tuzdik) return [t('hint.danger_tuzdik', {pit: tuzdik})];
  return endangered
    ? [t('hint.danger_capture_or_tuzdik', {balls, pit: endangered})]
    : [t('hint.danger_capture', {balls})];
}

export function hintSentences(facts: MoveFacts, rules: Rules): string[] {
  const said = [t(facts.only ? 'hint.play_only' : 'hint.play', {pit: facts.pit})];
  if (facts.end) return [...said, endSentence(facts.end)];

  const done = deeds(facts, rules).slice(0, mostDeeds);
  let dangerSaid = rules.giveaway;
  if (done.length > 0) {
    said.push(...done);
  } else if (!facts.dangerAfter.pit) {
    said.push(t('hint.leaves_nothing'));
    dangerSaid = true;
  } else {
    said.push(t('hint.quiet'));
  }
  if (!dangerSaid) said.push(...danger(facts));
  if (facts.expected) {
    const own = Math.round(facts.expected.own);
    const winRate = formatPercent(facts.expected.winRate);
    said.push(t('hint.expected', {winRate, own, other: rules.total - own}));
  }
  return said;
}

export function hintText(facts: MoveFacts, rules: Rules): string {
  return hintSentences(facts, rules).join(' ');
}
