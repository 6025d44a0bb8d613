import type { Conflict, Evidence, Finding } from '../../contracts/report/finding';
import { distinctBy } from '../../core/values/distinct-by';
import { terms } from '../../language/words';
import { bears } from '../../reading/question/bearing';
import { type Question, readQuestion } from '../../reading/question/question';
import { roleOf, type SentenceRole } from '../../reading/statements/sentence-role';
import { likelyTold, sideTold, tellsEffect } from '../../reading/statements/effect-told';
import { isOfOthers, isOfStart } from '../../reading/statements/own-result';
import { isConclusion, tellsIntent } from '../../reading/statements/tells-intent';
import { type BearingOf, isOfWhatIsAsked, outcomeIn } from './outcome-asked';

/** A finding of the Executive Summary, by the words of which of its sources it is told. */
export interface Headline {
  /** The index of its section. */
  section: number;
  finding: Finding;
  evidence: Evidence;
  /** Whether it tells what was found on what is asked; false of what stands there for want of such. */
  isAnswer: boolean;
}

interface SectionMaterial {
  /** Strongest first. */
  findings: readonly Finding[];
}

interface HeadlineLimits {
  /** So many are wanted of those that answer, and no more than `max`. */
  min: number;
  max: number;
  /** So many are told at any rate. */
  least: number;
  /** Findings from this confidence on are the major ones, which come before others. */
  threshold: number;
  question: string;
  bearingOf: BearingOf;
}

/**
 * What opens the report: each of the first sections that answer by its best finding, and where that gives too few, the next-best that
 * answer, then what else was found. No source speaks twice while there are others. In the order of the sections.
 */
export function chooseHeadlines(
  sections: readonly SectionMaterial[],
  { min, max, least, ...strength }: HeadlineLimits,
): Headline[] {
  const ranked = sections.map(({ findings }) => strongestFirst(findings, (finding) => finding, strength));
  const asked = readQuestion(strength.question);
  const isOnIt = (one: Finding): boolean =>
    one.evidence.some((quoted) => bears(strength.bearingOf(quoted).onOutcome));
  const found = ranked.map((findings) => findings.filter((one) => tellsOf(one, asked, strength.bearingOf)));
  const onIt = found.map((findings) => findings.filter(isOnIt));
  // Where nobody has its words for what the effect is on, what was found of what is asked to have it is nearest: `mortality` of `deaths`.
  const answering = asked.asksForEffect && onIt.some(({ length }) => length > 0) ? onIt : found;
  const chosen: Headline[] = [];
  const speaking = new Set<string>();
  const take = (section: number, isNewVoice: boolean, from: readonly (readonly Finding[])[]): boolean => {
    const told = new Set(chosen.map(({ finding }) => finding.id));
    for (const finding of from[section]?.filter(({ id }) => !told.has(id)) ?? []) {
      const evidence = isNewVoice
        ? finding.evidence.find(({ sourceId }) => !speaking.has(sourceId))
        : finding.evidence[0];
      if (evidence === undefined) continue;
      chosen.push({
        section,
        finding,
        evidence,
        isAnswer: from === answering && (!asked.asksForEffect || isOnIt(finding)),
      });
      speaking.add(evidence.sourceId);
      return true;
    }
    return false;
  };
  const heardIn = (from: readonly (readonly Finding[])[]): number[] =>
    [...from.keys()].filter((section) => (from[section]?.length ?? 0) > 0);
  // Sections with a major finding choose who speaks first, so that no lesser one takes its voice.
  const isMajor = (section: number): number =>
    Number((ranked[section]?.[0]?.confidence ?? 0) >= strength.threshold);
  const open = heardIn(answering).slice(0, max);
  for (const section of [...open].sort((a, b) => isMajor(b) - isMajor(a)))
    if (!take(section, true, answering)) take(section, false, answering);
  const fill = (wanted: number, from: readonly (readonly Finding[])[]): void => {
    const within = heardIn(from).slice(0, max);
    for (const isNewVoice of [true, false])
      while (
        chosen.length < wanted &&
        within.some((section) => chosen.length < wanted && take(section, isNewVoice, from))
      );
  };
  fill(min, answering);
  // Aims, what others found and what is of something else than is asked have nothing to say at a glance, while others have.
  fill(least, ranked);
  return chosen.sort((a, b) => a.section - b.section);
}

/** Who stands on the other side of a headline in its section, and on which. */
export interface OtherSide {
  side: 'disputed' | 'effect' | 'none';
  sourceIds: string[];
}

/**
 * The other side of a headline, where its section has both: what is disputed with its source, else the sources whose first result that
 * tells a side of what is asked for reports an effect where it reports none, or the other way round. Null where there is nobody.
 */
export function otherSideOf(
  { finding, evidence: { sourceId: voice } }: Headline,
  { findings, conflicts }: SectionMaterial & { conflicts: readonly Conflict[] },
  asked: Question,
  bearingOf: BearingOf,
): OtherSide | null {
  const isOwn = ({ citations }: Pick<Finding, 'citations'>): boolean => citations.includes(voice);
  const contrary = conflicts
    .filter(({ viewpoints }) => viewpoints.some(isOwn))
    .flatMap(({ viewpoints }) =>
      viewpoints.filter((view) => !isOwn(view)).flatMap(({ evidence }) => evidence),
    );
  const isDisputed = (other: Finding): boolean =>
    other.evidence.some(({ sourceId, start }) =>
      contrary.some((place) => place.sourceId === sourceId && place.start === start),
    );
  const others = findings.filter((other) => !isOwn(other));
  const disputing = othersOn('disputed', others.filter(isDisputed));
  if (disputing !== null) return disputing;
  const { isOn } = outcomeIn(findings, asked, bearingOf);
  const sideOf = ({ claim, evidence }: Finding): ReturnType<typeof sideTold> =>
    evidence.some(isOn) ? sideTold(claim) : null;
  const own = sideOf(finding);
  const telling = others
    .flatMap((other) => {
      const side = sideOf(other);
      return side === null ? [] : [{ other, side }];
    })
    .sort((one, other) => other.other.confidence - one.other.confidence);
  const firsts = distinctBy(telling, ({ other: { citations } }) => citations[0] ?? '');
  const contraryTo = own === null ? [] : firsts.filter(({ side }) => side !== own);
  return othersOn(
    own === 'none' ? 'effect' : 'none',
    contraryTo.map(({ other }) => other),
  );
}

function othersOn(side: OtherSide['side'], findings: readonly Finding[]): OtherSide | null {
  if (findings.length === 0) return null;
  const sourceIds = [...new Set(findings.flatMap(({ citations }) => citations.slice(0, 1)))];
  return { side, sourceIds };
}

/** So many steps of how likely it answers are told apart; within one other things decide. */
const ANSWERING = 10;

/** What was found tells more than what was known, and that more than what was done. */
const BY_ROLE: Readonly<Record<SentenceRole, number>> = { finding: 2, background: 1, procedure: 0 };

function tellsOfNothing(claim: string): boolean {
  return isOfStart(claim) || tellsIntent(claim);
}

/** Whether a finding is no aim and no method; where an effect is asked for, that its source found one, or none, of what is to have it. */
function tellsOf({ claim, evidence }: Finding, asked: Question, bearingOf: BearingOf): boolean {
  const role = roleOf(claim);
  if (tellsOfNothing(claim) || role === 'procedure') return false;
  if (!asked.asksForEffect) return true;
  const isFound = role === 'finding' || isConclusion(claim);
  const isOfIt = evidence.some((quoted) => isOfWhatIsAsked(quoted, asked, bearingOf));
  return !isOfOthers(claim) && isFound && tellsEffect(claim) && isOfIt;
}

/** How likely one of some quotes tells what was found of what is asked, on what is asked, 0–1. */
function answering(evidence: readonly Evidence[], { asksWhether }: Question, bearingOf: BearingOf): number {
  return Math.max(
    ...evidence.map((quoted) => {
      const { ofCause, onOutcome } = bearingOf(quoted);
      return likelyTold(quoted.quote) * onOutcome * (asksWhether ? ofCause : 1);
    }),
  );
}

/**
 * Where an effect is asked for, first what answers most likely, and of what answers as likely what its authors conclude. Then major ones, and what
 * is no aim and no method; where an effect is asked for, what the source found itself, of what is asked to have it, what names on what and
 * most of that, what tells one or that there was none, and what was found before background. Then those with most of what the question is
 * about, what the source found itself, what was found, what several sources share, and the more certain.
 */
export function strongestFirst<Item>(
  items: readonly Item[],
  findingOf: (item: Item) => Finding,
  { threshold, question, bearingOf }: Pick<HeadlineLimits, 'threshold' | 'question' | 'bearingOf'>,
): Item[] {
  const read = readQuestion(question);
  const asked = terms(question).filter((stem) => !read.asking.has(stem));
  const ranksOf = ({ confidence, claim, citations, evidence }: Finding): number[] => {
    const held = new Set(terms(claim));
    const role = BY_ROLE[tellsOfNothing(claim) ? 'procedure' : roleOf(claim)];
    const isOwn = Number(!isOfOthers(claim));
    const said = asked.filter((stem) => held.has(stem)).length;
    const side = sideTold(claim) === null ? 0 : 1;
    const isOfIt = evidence.some((quoted) => isOfWhatIsAsked(quoted, read, bearingOf));
    const isOnIt = evidence.some((quoted) => bears(bearingOf(quoted).onOutcome));
    return [
      // What is disputed is less sure, and answers more than what is sure of something else.
      read.asksForEffect ? Math.round(ANSWERING * answering(evidence, read, bearingOf)) : 0,
      // What authors conclude is of all of what they found.
      Number(read.asksForEffect && isConclusion(claim) && isOfIt && isOnIt),
      Number(confidence >= threshold),
      Number(role !== BY_ROLE.procedure),
      ...(read.asksForEffect
        ? [
            isOwn,
            Number(isOfIt),
            Number(isOnIt),
            Number(evidence.some((quoted) => bears(bearingOf(quoted).ofCause))),
            side,
            role,
          ]
        : []),
      said,
      isOwn,
      role,
      citations.length,
      confidence,
    ];
  };
  return items
    .map((item) => ({ item, ranks: ranksOf(findingOf(item)) }))
    .sort((a, b) => b.ranks.reduce((order, rank, at) => order || rank - (a.ranks[at] ?? 0), 0))
    .map(({ item }) => item);
}
