import type { Answer, AnswerCitation, AnswerClaim, AnswerStatistics } from '../contracts/answer';
import { CONFLICTING } from '../evidence/corroboration';
import { answerTexts } from './answer-texts';

/** Confidence factor of an over-compressed context. */
const OVER_COMPRESSION_FACTOR = 0.9;

export interface ConfidenceGrounds {
  /** Distinct documents whose passages support a claim. */
  documents: number;
  claims: number;
  supported: number;
  /** Supported claims that sources of the answer contradict. */
  disputed: number;
  setAside: number;
  overCompression: boolean;
  /** Probability, 0–1, that the searched passages answer the question, and its threshold. 1 if a model decided that they do. */
  answerable: number;
  answeredFrom: number;
}

const MAX_CONFIDENCE = 0.95;

export function capDisputedConfidence(
  confidence: number,
  { disputed }: Pick<ConfidenceGrounds, 'disputed'>,
): number {
  return disputed > 0 ? Math.min(confidence, CONFLICTING) : confidence;
}

/**
 * Confidence in the statements of an answer, 0–0.95. Naming missing information does not lower it:
 *
 *     min(0.95, answerable) × supported ÷ claims × (1 − ½ setAside ÷ (claims + setAside)) × 0.9 if over-compressed
 *
 * At most 0.6 if its sources contradict each other (document 002), and 0 if no document supports a claim. Rejected
 * claims weigh half because they are no longer in the answer.
 */
export function answerConfidence(grounds: ConfidenceGrounds): number {
  const { documents, claims, supported, setAside, overCompression, answerable } = grounds;
  if (claims === 0 || documents === 0) return 0;
  const written = 1 - setAside / (2 * (claims + setAside));
  const whole = overCompression ? OVER_COMPRESSION_FACTOR : 1;
  const confidence = Math.min(MAX_CONFIDENCE, answerable) * (supported / claims) * written * whole;
  return capDisputedConfidence(Math.round(confidence * 100) / 100, grounds);
}

/** Id of a citation's document, or of the work that the document is part of. */
export function citedDocumentId({ sourceId, work }: Pick<AnswerCitation, 'sourceId' | 'work'>): string {
  return work?.id ?? sourceId;
}

/** Number of distinct documents that supported claims cite; graphs do not count. */
export function supportingDocuments(
  claims: readonly Pick<AnswerClaim, 'verdict' | 'citations'>[],
  citations: readonly Pick<AnswerCitation, 'n' | 'sourceId' | 'origin' | 'work'>[],
): number {
  const supported = claims.filter(({ verdict }) => verdict === 'supported');
  const cited = new Set(supported.flatMap((claim) => claim.citations));
  const bearing = citations.filter(({ n, origin }) => cited.has(n) && origin === 'text');
  return new Set(bearing.map(citedDocumentId)).size;
}

/** Basis of a confidence and the reasons that lower it: `single source; 1 of 4 claims did not stand`. */
export function confidenceMeaning(grounds: ConfidenceGrounds): string {
  const { documents, claims, supported, disputed, setAside } = grounds;
  const { overCompression, answerable, answeredFrom } = grounds;
  const open = claims - supported;
  const lowered = [
    setAside === 0 ? [] : [answerTexts.notStood(setAside, claims + setAside)],
    open === 0 ? [] : [answerTexts.notConfirmed(open, claims)],
    disputed === 0 ? [] : [answerTexts.contradicted(disputed, claims)],
    overCompression ? [answerTexts.shortened] : [],
    answerable < answeredFrom && claims > 0 ? [answerTexts.hardlyBears] : [],
  ];
  const [none, single, several] = answerTexts.pieces;
  const sources = documents === 0 ? none : documents === 1 ? single : several;
  return [sources, ...lowered.flat()].join('; ');
}

/** Document 001's form: `Confidence: 0.6 (single source)`. */
export function confidenceLine({
  confidence,
  confidenceMeaning: meaning,
}: Pick<Answer, 'confidence' | 'confidenceMeaning'>): string {
  return answerTexts.confidence(confidence, meaning);
}

export type CountedAnswer = Pick<
  Answer,
  'outcome' | 'synthesisMode' | 'sourceDocumentCount' | 'citations' | 'confidence' | 'latencyMs'
>;

/** Document 003's statistics. Reads one answer at a time, so that the caller need not hold all of them. */
export async function answerStatistics(
  answers: Iterable<CountedAnswer> | AsyncIterable<CountedAnswer>,
): Promise<AnswerStatistics> {
  const byOutcome: Record<string, number> = {};
  const latencies: number[] = [];
  let [confidence, synthesis, documents, citations, multiSource] = [0, 0, 0, 0, 0];
  for await (const answer of answers) {
    byOutcome[answer.outcome] = (byOutcome[answer.outcome] ?? 0) + 1;
    latencies.push(answer.latencyMs);
    confidence += answer.confidence;
    if (!answer.synthesisMode) continue;
    synthesis += 1;
    documents += answer.sourceDocumentCount;
    citations += answer.citations.length;
    multiSource += answer.citations.filter((citation) => citation.multiSource).length;
  }
  return {
    answers: latencies.length,
    byOutcome,
    synthesis: {
      answers: synthesis,
      activationRate: share(synthesis, latencies.length),
      meanDocuments: share(documents, synthesis),
      multiSourceShare: share(multiSource, citations),
    },
    meanConfidence: share(confidence, latencies.length),
    medianLatencyMs: median(latencies),
  };
}

function share(amount: number, of: number): number | null {
  return of === 0 ? null : amount / of;
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const [lower, upper] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return lower === undefined || upper === undefined ? null : (lower + upper) / 2;
}
