import { reportTexts } from '../../texts/report';
import { writingTexts } from '../../texts/writing';
import { citationMark } from '../../core/text/citation-marks';
import { readQuestion } from '../../reading/question/question';
import { whoIsRight } from '../../core/evidence/who-is-right';
import { distinctBy } from '../../core/values/distinct-by';
import { followUpQuestions } from '../../core/report/follow-up-questions';
import { stripUnsafe } from '../../core/text/untrusted-text';
import { asOfNote } from '../../core/writing/as-of';
import type { Attributable } from '../../core/writing/attribution';
import { withoutLeadIn } from '../../core/writing/lead-in';
import { inert, quotation } from '../../core/writing/quotation';
import { shorten } from '../../core/writing/shorten';
import { withinSentence } from '../../core/writing/within-sentence';
import type { WriteSummaryInput, WriteSummaryOutput } from '../../steps/write-summary/contract';
import { chooseHeadlines, type Headline, type OtherSide, otherSideOf, strongestFirst } from './headlines';
import { bearingByWordsOn, type BearingOf } from './outcome-asked';
import { voteClaim, WORTH_ANSWERING } from './vote-claim';

/** Document 002: 3–5 bullets. */
const BULLETS = { min: 3, max: 5 };
/** A bullet is read at a glance. */
const BULLET_WORDS = 30;
/** A sentence that is whole says more than one that breaks off before its point. */
const WHOLE_WORDS = 45;
const MOST_DISPUTED = 3;
const MOST_MISSING = 2;
/** One is told, and more of them only rather than something else than is asked. */
const MOST_OPEN = 2;

/**
 * The Executive Summary: what the sources come to on the question, by a count where they can be counted and else by the best quote,
 * said to be one, or to be the nearest where none answers; then each section by its strongest finding, shortened; then what they dispute and what is missing, and what to ask next.
 */
export function writeSummaryExtractively(
  input: WriteSummaryInput,
  bearingOf: BearingOf = bearingByWordsOn(input.question, sourcesById(input)),
): WriteSummaryOutput {
  const sources = sourcesById(input);
  const findings = input.sections.flatMap((section) => section.findings);
  const count = voteClaim({ question: input.question, findings, bearingOf }, WORTH_ANSWERING);
  const strength = { threshold: input.confidenceThreshold ?? 0, question: input.question, bearingOf };
  const [left = '', ...more] = leftOpen(input, sources);
  const open = [disputed(input.conflicts), missing(input), left].filter((text) => text !== '');
  const counted = Number(count !== null);
  const headlines = chooseHeadlines(input.sections, {
    min: BULLETS.min - counted,
    max: BULLETS.max - counted - Math.min(1, open.length),
    least: Math.max(1, BULLETS.min - counted - open.length - more.length),
    ...strength,
  });
  const asked = readQuestion(input.question);
  const isSectioned = input.sections.length > 1;
  const answers = headlines.filter(({ isAnswer }) => isAnswer);
  const openings = answers.length > 0 ? answers : headlines;
  const [best] = count === null ? strongestFirst(openings, ({ finding }) => finding, strength) : [];
  const label = best?.isAnswer === false && asked.asksForEffect ? 'nearestQuote' : 'bestQuote';
  const ordered = best === undefined ? headlines : [best, ...headlines.filter((one) => one !== best)];
  const quotes = ordered.map((headline, at) => {
    const isFirst = headline === best || headline.section !== ordered[at - 1]?.section;
    const findings = input.sections[headline.section]?.findings ?? [];
    const other =
      isFirst && asked.asksForEffect
        ? otherSideOf(headline, { findings, conflicts: input.conflicts }, asked, bearingOf)
        : null;
    const contrary = other === null ? '' : toldContrary(other);
    const text = `${quoted(headline, sources)}${contrary === '' ? '.' : ''}`;
    const title = input.sections[headline.section]?.section.title ?? '';
    // What is no part of its own has no name that says anything.
    const isNamed = isSectioned && isFirst && title !== 'Further results';
    const name = isNamed ? title : '';
    return {
      bullet: `${bold(headline === best ? [reportTexts[label], name] : [name])}${text}${contrary}`,
      claim: { text, findingIds: [headline.finding.id] },
    };
  });
  const told = [...(count === null ? [] : [count.text]), ...quotes.map(({ bullet }) => bullet)];
  return {
    title: stripUnsafe(input.question).replace(/\s+/g, ' ').trim() || input.question,
    bullets: told.length === 0 ? [] : [...told, ...openBullets(open, more, told.length)],
    claims: [...(count === null ? [] : [count]), ...quotes.map(({ claim }) => claim)],
    followUpQuestions: followUpQuestions({ conflicts: input.conflicts, gaps: input.gaps }),
  };
}

function sourcesById({ sources }: WriteSummaryInput): ReadonlyMap<string, Attributable & { title: string }> {
  return new Map(sources.map((source) => [source.sourceId, source]));
}

/** `**Best quote, COPD.** `; nothing of nothing. */
function bold(names: readonly string[]): string {
  const told = names.filter((name) => name !== '').map(inert);
  return told.length === 0 ? '' : `**${told.join(', ')}.** `;
}

/** What is open is one bullet with one quote, or several rather than that something else than is asked fills up. */
function openBullets(open: readonly string[], more: readonly string[], told: number): string[] {
  const wanted = BULLETS.min - told;
  if (wanted > 1) return [...open, ...more].slice(0, Math.max(wanted, open.length));
  return open.length === 0 ? [] : [open.join(' ')];
}

/** `Disputed: forced expiratory volume.` */
function disputed(conflicts: WriteSummaryInput['conflicts']): string {
  const topics = conflicts.slice(0, MOST_DISPUTED).map(({ topic }) => withinSentence(inert(topic)));
  const more = conflicts.length - topics.length;
  return topics.length === 0 ? '' : reportTexts.disputed(topics, more);
}

/** `Missing: what is known about “school meals”.` Who of those that disagree is right is told as disputed, that a section rests on few sources under its gaps. */
function missing({ gaps, conflicts }: WriteSummaryInput): string {
  const disputes = new Set(conflicts.map(({ topic }) => whoIsRight(topic)));
  const absent = gaps.flatMap(({ question, sectionId, evidence }) =>
    evidence !== undefined || sectionId !== undefined || disputes.has(question)
      ? []
      : withinSentence(inert(question).replace(/\?$/, '')),
  );
  return absent.length === 0 ? '' : reportTexts.missing(absent.slice(0, MOST_MISSING));
}

/** `Left open: “…” [@a].`, a source each. */
function leftOpen({ gaps }: WriteSummaryInput, sources: ReadonlyMap<string, Attributable>): string[] {
  const stated = gaps.flatMap(({ evidence }) =>
    evidence === undefined || !sources.has(evidence.sourceId) ? [] : [evidence],
  );
  return distinctBy(stated, ({ sourceId }) => sourceId)
    .slice(0, MOST_OPEN)
    .map(({ quote, sourceId }) =>
      reportTexts.leftOpen(quotation(shorten(withoutLeadIn(quote), BULLET_WORDS)), citationMark([sourceId])),
    );
}

/** `“…” [@a]; 2 more sources agree [@b; @c]` Who says it stands where its section quotes it. */
function quoted({ finding, evidence }: Headline, sources: ReadonlyMap<string, Attributable>): string {
  const { sourceId, quote } = evidence;
  const words = shorten(withoutLeadIn(quote), BULLET_WORDS, WHOLE_WORDS);
  const others = [...new Set(finding.citations)].filter(
    (id) => id !== sourceId && finding.inPart?.includes(id) !== true,
  );
  const agreeing =
    others.length === 0 ? '' : `; ${writingTexts.agreeing(others.length)} ${citationMark(others)}`;
  const asOf = asOfNote(words, sources.get(sourceId)?.publishedAt, '');
  return `${quotation(words)} ${citationMark([sourceId])}${asOf}${agreeing}`;
}

/** `; no effect: [@d].` How sure the quote before it is, is no word on these. */
function toldContrary({ side, sourceIds }: OtherSide): string {
  return `; ${withinSentence(reportTexts.effects[side])}: ${citationMark(sourceIds)}.`;
}
