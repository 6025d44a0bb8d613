import { reportTexts } from '../../texts/report';
import type { Encoder } from '../../encoder/encoder';
import type { Conflict, Finding } from '../../contracts/report/finding';
import { citationMark } from '../../core/text/citation-marks';
import { stripUnsafe } from '../../core/text/untrusted-text';
import { asOfNote } from '../../core/writing/as-of';
import { withoutLeadIn } from '../../core/writing/lead-in';
import { quotation } from '../../core/writing/quotation';
import { shorten } from '../../core/writing/shorten';
import type { WriteSummaryInput, WriteSummaryOutput } from '../../steps/write-summary/contract';
import { rankFindings } from './rank-findings';

const LEAST_BULLETS = 3;
const MOST_BULLETS = 5;
/** So many of one source while others have something to say. */
const MOST_OF_A_SOURCE = 2;
/** A bullet is read at a glance; a sentence that is whole says more than one that breaks off before its point. */
const BULLET_WORDS = 30;
const WHOLE_WORDS = 45;

/**
 * The Executive Summary: the three to five quotes that are most likely to answer the question, best first, each with its source. What
 * contradicts one of them stands right behind it. Where none is likely to answer, it says so.
 */
export async function writeSummaryExtractively(
  input: WriteSummaryInput,
  encoder: Encoder | null = null,
): Promise<WriteSummaryOutput> {
  const { question, sections, conflicts } = input;
  const sources = new Map(input.sources.map((source) => [source.sourceId, source]));
  const { ranked, areLikely } = await rankFindings(
    question,
    sections.flatMap(({ findings }) => findings),
    ({ citations: [first = ''] }) => sources.get(first)?.title ?? '',
    encoder,
  );
  const claims = withOpposed(chosenOf(ranked), ranked, conflicts).flatMap(({ finding, isAgainst }) => {
    const evidence = finding.evidence.find(({ sourceId }) => sources.has(sourceId));
    if (evidence === undefined) return [];
    const words = shorten(withoutLeadIn(evidence.quote), BULLET_WORDS, WHOLE_WORDS);
    const asOf = asOfNote(words, sources.get(evidence.sourceId)?.publishedAt, '');
    const text = `${quotation(words)} ${citationMark([evidence.sourceId])}${asOf}.`;
    return [{ text, lead: isAgainst ? `${reportTexts.against} ` : '', findingIds: [finding.id] }];
  });
  const opening = areLikely || claims.length === 0 ? [] : [reportTexts.unlikely];
  return {
    title: stripUnsafe(question).replace(/\s+/g, ' ').trim() || question,
    bullets: [...opening, ...claims.map(({ lead, text }) => `${lead}${text}`)],
    claims: claims.map(({ text, findingIds }) => ({ text, findingIds })),
    followUpQuestions: [],
  };
}

/** The best, no source too often while there are others. */
function chosenOf(ranked: readonly Finding[]): Finding[] {
  const chosen: Finding[] = [];
  const perSource = new Map<string, number>();
  for (const finding of ranked) {
    const source = finding.citations[0] ?? '';
    const already = perSource.get(source) ?? 0;
    if (chosen.length === MOST_BULLETS || already === MOST_OF_A_SOURCE) continue;
    chosen.push(finding);
    perSource.set(source, already + 1);
  }
  const rest = ranked.filter((finding) => !chosen.includes(finding));
  return [...chosen, ...rest.slice(0, Math.max(0, LEAST_BULLETS - chosen.length))];
}

/** Each chosen finding with the best one that contradicts it right behind it, whether or not that was chosen. */
function withOpposed(
  chosen: readonly Finding[],
  ranked: readonly Finding[],
  conflicts: readonly Conflict[],
): { finding: Finding; isAgainst: boolean }[] {
  const told = new Map<Finding, boolean>();
  for (const finding of chosen) {
    if (told.has(finding)) continue;
    told.set(finding, false);
    const disputed = conflicts.filter(({ findingIds }) => findingIds.includes(finding.id));
    const against = ranked.find(
      (other) =>
        !told.has(other) &&
        !other.citations.some((id) => finding.citations.includes(id)) &&
        disputed.some(({ findingIds }) => findingIds.includes(other.id)),
    );
    if (against !== undefined) told.set(against, true);
  }
  return [...told].map(([finding, isAgainst]) => ({ finding, isAgainst }));
}
