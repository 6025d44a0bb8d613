import type { ScoredSource } from '../../contracts/report/outline';

/** A source with what a section has of it after pass 2. `score` is what the re-ranking goes by, 0–1. */
export interface YieldingSource extends ScoredSource {
  findings: number;
  score: number;
}

const YIELD_SHARE = 0.5;
/** So many findings of full confidence are as much as a source can show for itself. */
const FULL_YIELD = 3;

/**
 * The re-ranking after pass 2: the sources by their relevance to the section and by the findings that they gave it, each
 * weighed by its confidence. Ties by id.
 */
export function rankByFindings(
  sources: readonly ScoredSource[],
  findings: readonly { citations: readonly string[]; confidence: number }[],
): YieldingSource[] {
  return sources
    .map(({ sourceId, relevance }) => {
      const own = findings.filter(({ citations }) => citations.includes(sourceId));
      const given = own.reduce((sum, { confidence }) => sum + confidence, 0);
      const score = (1 - YIELD_SHARE) * relevance + YIELD_SHARE * Math.min(1, given / FULL_YIELD);
      return { sourceId, relevance, findings: own.length, score: Math.round(1_000 * score) / 1_000 };
    })
    .sort((a, b) => b.score - a.score || (a.sourceId < b.sourceId ? -1 : 1));
}
