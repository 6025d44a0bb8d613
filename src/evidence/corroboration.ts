import type { Conflict, Evidence, Finding, SectionFindings, ValidatedFindings } from '../contracts/finding';
import type { SourceQuality, Work } from '../contracts/source';
import { type Level, writingTexts } from '../contracts/wording';
import { withinSentence } from '../lib/strings';
import { sentenceKey } from '../text/duplicates';
import { splitSentences } from '../text/sentences';

export function corroboratedConfidence(
  finding: Finding,
  evidence: readonly Evidence[],
  { sources, conflicting }: { sources: SourcesById; conflicting: boolean },
): number {
  return checkedConfidence({
    confidence: finding.confidence,
    distinctEvidence: countDistinctEvidence(evidence, sources),
    authoritative: finding.citations.some((id) => sources.get(id)?.quality.level === 'authoritative'),
    conflicting,
  });
}

/** The model's confidence, limited to the bands of document 002 for its evidence. */
export function boundConfidence(given: number, evidence: readonly Evidence[], sources: SourcesById): number {
  const authoritative = evidence.filter(
    ({ sourceId }) => sources.get(sourceId)?.quality.level === 'authoritative',
  );
  const distinct = countDistinctEvidence(evidence, sources);
  const highest =
    countDistinctEvidence(authoritative, sources) >= 2
      ? 0.98
      : authoritative.length > 0 || distinct >= 2
        ? 0.89
        : 0.69;
  return Math.round(100 * Math.min(given, highest)) / 100;
}

/** Source of a regular expression that matches the confidence of a claim in a report. */
export const CONFIDENCE_REMARK = `(?:${writingTexts.read.confidence})`;

/** Document 002: confidence by agreement, quality and conflict. */
const THREE_AGREE = 0.95;
const TWO_AGREE = 0.85;
export const ONE_AUTHORITATIVE = 0.75;
/** One general source for a finding that is not weak (document 002: weak is below 0.5). */
export const ONE_GENERAL = 0.62;
const WEAK_BELOW = 0.5;
export const CONFLICTING = 0.6;

/** High from two agreeing sources on, Low up to the limit of a conflict (document 002), Medium between. */
export function confidenceWord(confidence: number): Level {
  if (confidence >= TWO_AGREE) return 'High';
  return confidence > CONFLICTING ? 'Medium' : 'Low';
}

export function confidenceText(confidence: number): string {
  return writingTexts.confidence(confidenceWord(confidence), true, confidence);
}

export interface Corroboration {
  confidence: number;
  distinctEvidence: number;
  authoritative: boolean;
  conflicting: boolean;
}

/**
 * Confidence after the cross-check. A conflict limits it, agreement only raises it. A single authoritative source
 * gives exactly 0.75, a general one at least 0.62; weak findings keep their value.
 */
export function checkedConfidence(finding: Corroboration): number {
  if (finding.conflicting) return Math.min(finding.confidence, CONFLICTING);
  if (finding.distinctEvidence >= 3) return Math.max(finding.confidence, THREE_AGREE);
  if (finding.distinctEvidence === 2) return Math.max(finding.confidence, TWO_AGREE);
  if (finding.authoritative) return ONE_AUTHORITATIVE;
  return finding.confidence < WEAK_BELOW ? finding.confidence : Math.max(finding.confidence, ONE_GENERAL);
}

export interface SourceMetadata {
  title: string;
  quality: SourceQuality;
  publishedAt?: string | undefined;
  nearDuplicateOf?: string | undefined;
  work?: Work | undefined;
}

export type SourcesById = ReadonlyMap<string, SourceMetadata>;

/** Id under which a source counts as evidence: its work, after near-duplicates are resolved, else the source. */
export function evidenceRoot(sourceId: string, sources: SourcesById): string {
  const id = originalOf(sourceId, sources);
  return sources.get(id)?.work?.id ?? id;
}

/** The original of a near-duplicate, else the source. Unlike copies, parts of one work may contradict each other. */
export function originalOf(sourceId: string, sources: SourcesById): string {
  const seen = new Set<string>();
  let id = sourceId;
  for (
    let next = sources.get(id)?.nearDuplicateOf;
    next !== undefined && !seen.has(next);
    next = sources.get(id)?.nearDuplicateOf
  ) {
    seen.add(id);
    id = next;
  }
  return id;
}

/** Shorter sentences may occur in unrelated texts. */
const MIN_SENTENCE_WORDS = 6;

/** Independent evidence: one item for each work and its near-duplicates, and only the first with a given sentence. */
export function distinctEvidence(evidence: readonly Evidence[], sources: SourcesById): Evidence[] {
  const roots = new Set<string>();
  const wordings: Wording[] = [];
  return evidence.filter((item) => {
    const root = evidenceRoot(item.sourceId, sources);
    const wording = wordingOf(item.quote);
    const known = roots.has(root) || wordings.some((other) => isShared(wording, other));
    roots.add(root);
    wordings.push(wording);
    return !known;
  });
}

export function countDistinctEvidence(evidence: readonly Evidence[], sources: SourcesById): number {
  return distinctEvidence(evidence, sources).length;
}

interface Wording {
  whole: string;
  sentences: string[];
}

function wordingOf(quote: string): Wording {
  const sentences = splitSentences(quote).map(({ text }) => sentenceKey(text));
  return {
    whole: sentenceKey(quote),
    sentences: sentences.filter((key) => key.split(' ').length >= MIN_SENTENCE_WORDS),
  };
}

function isShared(one: Wording, other: Wording): boolean {
  return (
    one.whole === other.whole ||
    containsSentence(one.sentences, other.whole) ||
    containsSentence(other.sentences, one.whole)
  );
}

function containsSentence(sentences: readonly string[], text: string): boolean {
  return sentences.some((sentence) => ` ${text} `.includes(` ${sentence} `));
}

/** Document 002: above this confidence only findings with numbers are checked. */
const CHECK_BELOW = 0.8;

/** True if a finding is checked against further sources. Unchecked findings are still compared with each other. */
export function needsChecking(
  { confidence, claim }: Pick<Finding, 'confidence' | 'claim'>,
  { factChecking, checkAll = false }: { factChecking: boolean; checkAll?: boolean | undefined },
): boolean {
  return checkAll || confidence < CHECK_BELOW || (factChecking && /\d/.test(claim));
}

export function markUnvalidated({
  sectionId,
  findings,
}: Pick<SectionFindings, 'sectionId' | 'findings'>): ValidatedFindings['sections'][number] {
  return { sectionId, findings: findings.map((finding) => ({ ...finding, unvalidated: true })) };
}

/** Key of a conflict: equal for the same opposing quotes in any order. */
export function conflictKey({ viewpoints }: Pick<Conflict, 'viewpoints'>): string {
  return viewpoints
    .map(({ evidence }) => placesOf(evidence))
    .sort()
    .join(' | ');
}

function placesOf(evidence: readonly Evidence[]): string {
  return [...new Set(evidence.map(({ sourceId, start }) => `${sourceId}@${start}`))].sort().join(' ');
}

/**
 * True if the claim is its quote. A claim in other words is an interpretation, and others of the same quote may
 * coexist.
 */
export function isVerbatim({ claim, evidence }: Pick<Finding, 'claim' | 'evidence'>): boolean {
  return sentenceKey(evidence[0]?.quote ?? claim) === sentenceKey(claim);
}

/** Index of the favoured viewpoint; null if all are presented. */
export function favouredView(resolution: string): number | null {
  const number = /^favor_viewpoint_(\d+)$/.exec(resolution)?.[1];
  return number === undefined ? null : Number(number) - 1;
}

export function conflictQuestion(topic: string): string {
  return `Which of the sources are right about ${withinSentence(topic)}?`;
}

/** The reason for readers; marked as inferred if no source gives it. */
export function conflictReason({ reason, isInferred }: Pick<Conflict, 'reason' | 'isInferred'>): string {
  return isInferred === true ? writingTexts.inferredReason(reason) : reason;
}
