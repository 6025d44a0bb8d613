import { reportTexts } from '../../texts/report';
import type { Encoder } from '../../encoder/encoder';
import type { Conflict, Finding } from '../../contracts/report/finding';
import { citationMark } from '../../core/text/citation-marks';
import { stripUnsafe } from '../../core/text/untrusted-text';
import { withoutLeadIn } from '../../core/writing/lead-in';
import { quotation } from '../../core/writing/quotation';
import { shorten } from '../../core/writing/shorten';
import type { WriteSummaryInput, WriteSummaryOutput } from '../../steps/write-summary/contract';
import { rankFindings } from './rank-findings';

const LEAST_BULLETS = 3;
const MOST_BULLETS = 5;
/** Quotes of one source, unless too few others are left. */
const MOST_OF_A_SOURCE = 2;
const BULLET_WORDS = 30;
const WHOLE_WORDS = 45;

/**
 * Writes the Executive Summary: the three to five quotes that are most likely to answer the question, best first, each with its citation.
 * A quote that contradicts one of them follows it. If none is likely to answer, the first bullet says so.
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
  const opening = areLikely || ranked.length === 0 ? [] : [reportTexts.unlikely];
  const most = MOST_BULLETS - opening.length;
  const claims = withOpposed(chosenOf(ranked), ranked, conflicts, most).flatMap(({ finding, isAgainst }) => {
    const evidence = finding.evidence.find(({ sourceId }) => sources.has(sourceId));
    if (evidence === undefined) return [];
    const words = shorten(withoutLeadIn(evidence.quote), BULLET_WORDS, WHOLE_WORDS);
    const text = `${quotation(words)} ${citationMark([evidence.sourceId])}.`;
    return [{ text, lead: isAgainst ? `${reportTexts.against} ` : '', findingIds: [finding.id] }];
  });
  return {
    title: stripUnsafe(question).replace(/\s+/g, ' ').trim() || question,
    bullets: [...opening, ...claims.map(({ lead, text }) => `${lead}${text}`)],
    claims: claims.map(({ text, findingIds }) => ({ text, findingIds })),
    followUpQuestions: [],
  };
}

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

/**
 * Puts the best contradicting finding behind each chosen one, also if it was not chosen itself. A finding is left out where the two do not
 * fit into `most`: nobody shall read one side alone.
 */
function withOpposed(
  chosen: readonly Finding[],
  ranked: readonly Finding[],
  conflicts: readonly Conflict[],
  most: number,
): { finding: Finding; isAgainst: boolean }[] {
  const told = new Map<Finding, boolean>();
  for (const finding of chosen) {
    if (told.has(finding)) continue;
    const disputed = conflicts.filter(({ findingIds }) => findingIds.includes(finding.id));
    const against = ranked.find(
      (other) =>
        other !== finding &&
        !told.has(other) &&
        !other.citations.some((id) => finding.citations.includes(id)) &&
        disputed.some(({ findingIds }) => findingIds.includes(other.id)),
    );
    if (told.size + (against === undefined ? 1 : 2) > most) continue;
    told.set(finding, false);
    if (against !== undefined) told.set(against, true);
  }
  return [...told].map(([finding, isAgainst]) => ({ finding, isAgainst }));
}
