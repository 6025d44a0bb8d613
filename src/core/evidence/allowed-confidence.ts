import type { Evidence } from '../../contracts/report/finding';
import { countDistinctEvidence, type SourcesById } from './distinct-evidence';

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
