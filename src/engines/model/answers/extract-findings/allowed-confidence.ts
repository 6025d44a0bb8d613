import type { Evidence } from '../../../../contracts/report/finding';
import type { SourceWindow } from '../../../../contracts/source/passage';
import { countDistinctEvidence } from '../../../../core/evidence/distinct-evidence';

/** The model's confidence, no higher than the bands of document 002 allow for what it quotes, and no lower than the weakest. */
export function allowedConfidence(
  given: number,
  evidence: readonly Evidence[],
  windows: ReadonlyMap<string, SourceWindow>,
): number {
  const authoritative = evidence.filter(
    ({ sourceId }) => windows.get(sourceId)?.quality.level === 'authoritative',
  );
  const distinct = countDistinctEvidence(evidence, windows);
  const highest =
    countDistinctEvidence(authoritative, windows) >= 2
      ? 0.98
      : authoritative.length > 0 || distinct >= 2
        ? 0.89
        : 0.69;
  return Math.round(100 * Math.min(given, highest)) / 100;
}
