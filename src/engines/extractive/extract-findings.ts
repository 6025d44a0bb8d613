import type { Encoder } from '../../encoder/encoder';
import type { Evidence, Finding } from '../../contracts/report/finding';
import type { SourceWindow } from '../../contracts/source/passage';
import { append } from '../../core/values/append';
import { CHOICE, chooseSentences, nearBestAmong } from '../../reading/choose-sentences';
import { indexSources } from '../../reading/collection/collection';
import { readQuestion } from '../../reading/question/question';
import { rankByMeaning } from '../../reading/rank-by-meaning';
import type { RankedSentence } from '../../reading/rank-sentences';
import { readIndexed } from '../../reading/features/features';
import { quotableSentences } from '../../reading/quotable';
import type { ExtractFindingsInput, ExtractFindingsOutput } from '../../steps/extract-findings/contract';
import { sectionsOf } from '../../steps/extract-findings/all-sections';
import { quoteOf } from './quote';

/** So many sentences of a section's sources are looked at closely, for each finding that is wanted. */
const LOOKED_AT_A_FINDING = 20;
/** So many of these are read by their meaning. */
const READ_A_FINDING = 4;
/** Within document 002's band for what a single source says and none contradicts: medium. */
const GENERAL = 0.62;
const AUTHORITATIVE = 0.67;
const COVERED = 0.08;

export async function extractFindingsExtractively(
  input: ExtractFindingsInput,
  encoder: Encoder | null = null,
): Promise<ExtractFindingsOutput> {
  const findings: Finding[] = [];
  for (const section of sectionsOf(input)) append(findings, await findingsOf({ ...input, section }, encoder));
  return { sectionId: input.section.id, findings };
}

async function findingsOf(
  { question, section, sources, findings, counts }: ExtractFindingsInput,
  encoder: Encoder | null,
): Promise<Finding[]> {
  const asked = readQuestion(question);
  const read = quotableSentences(sources);
  const collection = indexSources(
    sources.map(({ sourceId, title }, at) => ({
      id: sourceId,
      title,
      sentences: (read[at] ?? []).map(({ text }) => text),
    })),
  );
  const reading = readIndexed(asked, collection, counts);
  const ranked = await rankByMeaning(encoder, reading, {
    most: LOOKED_AT_A_FINDING * findings.max,
    read: READ_A_FINDING * findings.max,
  });
  // Where there are many sources each is to be heard; where there are few the best sentences are those of the best sources.
  const inTurns = sources.length > findings.max / 2;
  const nearBest = nearBestAmong(counts?.sentences ?? collection.texts.length, asked);
  const chosen = chooseSentences(ranked, collection, { ...CHOICE, most: findings.max, inTurns, nearBest });
  const best = Math.max(...chosen.map(({ coverage }) => coverage), 0.01);
  const made = chosen.flatMap((candidate): Omit<Finding, 'id'>[] => {
    const source = sources[candidate.source];
    if (source === undefined) return [];
    const from = collection.sources[candidate.source]?.from ?? 0;
    const quote = quoteOf(read[candidate.source] ?? [], candidate.sentence - from, source.passages);
    if (quote === null) return [];
    const evidence: Evidence = {
      sourceId: source.sourceId,
      quote: quote.text,
      start: quote.start,
      end: quote.end,
    };
    return [
      {
        sectionId: section.id,
        claim: quote.text.replace(/\s+/g, ' '),
        citations: [source.sourceId],
        evidence: [evidence],
        confidence: confidenceOf(candidate, source, best),
      },
    ];
  });
  return withoutOverlaps(made).map((finding, at) => ({
    id: `${section.id}-finding-${at + 1}`,
    ...finding,
  }));
}

/** How well the sentence answers, set against the best, counts as much as who says it. */
function confidenceOf({ coverage }: RankedSentence, { quality }: SourceWindow, best: number): number {
  const standing = quality.level === 'authoritative' ? AUTHORITATIVE : GENERAL;
  return Math.round(100 * (standing + (COVERED * coverage) / best)) / 100;
}

/** A quote that took its neighbours may hold another one, and stands in its place then; of others that overlap the better one stays. */
function withoutOverlaps(findings: readonly Omit<Finding, 'id'>[]): Omit<Finding, 'id'>[] {
  const kept: Omit<Finding, 'id'>[] = [];
  for (const finding of findings) {
    const [own] = finding.evidence;
    const at = kept.findIndex(({ evidence: [other] }) =>
      own === undefined || other === undefined || own.sourceId !== other.sourceId
        ? false
        : own.start < other.end && other.start < own.end,
    );
    const [other] = kept[at]?.evidence ?? [];
    if (other === undefined || own === undefined) kept.push(finding);
    else if (own.start <= other.start && own.end >= other.end) kept[at] = finding;
  }
  return kept;
}
