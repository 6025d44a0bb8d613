import type { Answer } from '../contracts/answer/answer';
import type { AnswerStatistics } from '../contracts/answer/answer-statistics';

export type CountedAnswer = Pick<
  Answer,
  'outcome' | 'synthesisMode' | 'sourceDocumentCount' | 'citations' | 'confidence' | 'latencyMs'
>;

/** Document 003's statistics, of answers one at a time: those who count need not hold them all. */
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
