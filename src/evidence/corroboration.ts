import type { Conflict, Evidence, Finding, SectionFindings, ValidatedFindings } from '../contracts/finding';
import type { SourceQuality, Work } from '../contracts/source';
import { type Level, writingTexts } from '../contracts/wording';
import { withinSentence } from '../lib/strings';
import { sentenceKey } from '../text/duplicates';
import { splitSentences } from '../text/sentences';

/** A finding's confidence after the cross-check, with all the evidence that there is for it now. */
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

/** The model's confidence, no higher than the bands of document 002 allow for what it quotes, and no lower than the weakest. */
export function allowedConfidence(
  given: number,
  evidence: readonly Evidence[],
  sources: SourcesById,
): number {
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

/** Matches the confidence that a report tells of a claim; the source of a regular expression. */
export const CONFIDENCE_REMARK = `(?:${writingTexts.read.confidence})`;

/** Document 002: what agreement, standing and conflict make of a finding's confidence. */
const THREE_AGREE = 0.95;
const TWO_AGREE = 0.85;
export const ONE_AUTHORITATIVE = 0.75;
/** One general source, where nothing makes the finding weak or speculative (document 002: below 0.5). */
export const ONE_GENERAL = 0.62;
const WEAK_BELOW = 0.5;
/** Nothing that sources contradict is surer. */
export const CONFLICTING = 0.6;

/**
 * High from what two sources have that agree; Low up to what a conflict leaves, where document 002 has conflicts and indirect
 * evidence. Medium is between: what one source found and none contradicts is neither sure nor doubtful.
 */
export function confidenceWord(confidence: number): Level {
  if (confidence >= TWO_AGREE) return 'High';
  return confidence > CONFLICTING ? 'Medium' : 'Low';
}

/** `Medium confidence (0.75)`. */
export function confidenceText(confidence: number): string {
  return writingTexts.confidence(confidenceWord(confidence), true, confidence);
}

export interface Corroboration {
  /** What the finding had before it was checked. */
  confidence: number;
  /** Pieces of distinct evidence that assert it, its own included (`countDistinctEvidence`). */
  distinctEvidence: number;
  authoritative: boolean;
  conflicting: boolean;
}

/**
 * The confidence after the cross-check. A conflict weighs more than any agreement; agreement raises and never lowers; a
 * single authoritative source stands at 0.75, a general one at 0.62 at least, and weak evidence keeps what it had.
 */
export function checkedConfidence(finding: Corroboration): number {
  if (finding.conflicting) return Math.min(finding.confidence, CONFLICTING);
  if (finding.distinctEvidence >= 3) return Math.max(finding.confidence, THREE_AGREE);
  if (finding.distinctEvidence === 2) return Math.max(finding.confidence, TWO_AGREE);
  if (finding.authoritative) return ONE_AUTHORITATIVE;
  return finding.confidence < WEAK_BELOW ? finding.confidence : Math.max(finding.confidence, ONE_GENERAL);
}

export interface SourceFacts {
  title: string;
  quality: SourceQuality;
  publishedAt?: string | undefined;
  nearDuplicateOf?: string | undefined;
  work?: Work | undefined;
}

export type SourcesById = ReadonlyMap<string, SourceFacts>;

/** The id under which a source counts as evidence: that of its work, or of the work whose text it nearly repeats, else its own. */
export function evidenceRoot(sourceId: string, sources: SourcesById): string {
  const id = originalOf(sourceId, sources);
  return sources.get(id)?.work?.id ?? id;
}

/**
 * The source whose text this one nearly repeats, else itself. Parts of one work may contradict each other, as they report
 * different studies; copies do not.
 */
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

/** Fewer words than these may stand in two texts that have nothing to do with each other. */
const LEAST_WORDS = 6;

/**
 * What is evidence of its own: of sources that nearly repeat each other, or are parts of one work, one, and of documents in which a sentence stands word
 * for word, whatever stands around it, the first.
 */
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
    sentences: sentences.filter((key) => key.split(' ').length >= LEAST_WORDS),
  };
}

function isShared(one: Wording, other: Wording): boolean {
  return (
    one.whole === other.whole || isHeld(one.sentences, other.whole) || isHeld(other.sentences, one.whole)
  );
}

function isHeld(sentences: readonly string[], text: string): boolean {
  return sentences.some((sentence) => ` ${text} `.includes(` ${sentence} `));
}

/** Findings from this confidence on are checked only where they give numbers (document 002). */
const CONFIDENT_ENOUGH = 0.8;

/**
 * Whether a finding is held against further sources; the others still stand against each other. Where support is sought for
 * all of them, that holds however sure they are.
 */
export function needsChecking(
  { confidence, claim }: Pick<Finding, 'confidence' | 'claim'>,
  { factChecking, checkAll = false }: { factChecking: boolean; checkAll?: boolean | undefined },
): boolean {
  return checkAll || confidence < CONFIDENT_ENOUGH || (factChecking && /\d/.test(claim));
}

/** A section's findings as pass 2 left them, each marked as not cross-checked. */
export function unvalidated({
  sectionId,
  findings,
}: Pick<SectionFindings, 'sectionId' | 'findings'>): ValidatedFindings['sections'][number] {
  return { sectionId, findings: findings.map((finding) => ({ ...finding, unvalidated: true })) };
}

/**
 * The places of the quotes that stand against each other, side by side: the same text for the same evidence, in whatever
 * order the sides and the quotes come, so that a conflict that is found twice is known again.
 */
export function opposingQuotes({ viewpoints }: Pick<Conflict, 'viewpoints'>): string {
  return viewpoints
    .map(({ evidence }) => placesOf(evidence))
    .sort()
    .join(' | ');
}

function placesOf(evidence: readonly Evidence[]): string {
  return [...new Set(evidence.map(({ sourceId, start }) => `${sourceId}@${start}`))].sort().join(' ');
}

/**
 * Whether a finding says no more than its quote does. One in words of its own says what somebody took from the quote: another
 * may take something else from it, and both stand.
 */
export function quotesAlone({ claim, evidence }: Pick<Finding, 'claim' | 'evidence'>): boolean {
  return sentenceKey(evidence[0]?.quote ?? claim) === sentenceKey(claim);
}

/** The index of the view that a conflict's resolution favours; null where all are presented. */
export function favouredView(resolution: string): number | null {
  const number = /^favor_viewpoint_(\d+)$/.exec(resolution)?.[1];
  return number === undefined ? null : Number(number) - 1;
}

export function whoIsRight(topic: string): string {
  return `Which of the sources are right about ${withinSentence(topic)}?`;
}

/** Why sources differ, as a reader is told it: what no source gives as the reason is told as the report's own. */
export function conflictReason({ reason, isInferred }: Pick<Conflict, 'reason' | 'isInferred'>): string {
  return isInferred === true ? writingTexts.inferredReason(reason) : reason;
}
