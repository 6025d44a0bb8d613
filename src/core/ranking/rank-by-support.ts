import type { OutlineSection, ScoredSource } from '../../contracts/report/outline';

/** A source is read first for the section that it has most to say to. */
const BEST_SECTION = 0.05;
/** A subsection names it: it was seen to have something particular to say. */
const NAMED_BY_SUBSECTION = 0.03;

/**
 * The re-ranking after pass 1: each section's sources by their relevance and by what they support. Relevances stay as they
 * are; the order says what is read first. Ties by id.
 */
export function rankBySupport(
  sections: readonly (Pick<OutlineSection, 'id' | 'subsections'> & { scores: ReadonlyMap<string, number> })[],
): Map<string, ScoredSource[]> {
  const best = new Map<string, number>();
  for (const { scores } of sections) {
    for (const [id, score] of scores) best.set(id, Math.max(score, best.get(id) ?? 0));
  }
  return new Map(
    sections.map(({ id, subsections, scores }) => {
      const named = new Set(subsections.flatMap(({ sourceIds }) => sourceIds));
      const rank = (sourceId: string, relevance: number): number =>
        relevance +
        (relevance > 0 && relevance === best.get(sourceId) ? BEST_SECTION : 0) +
        (named.has(sourceId) ? NAMED_BY_SUBSECTION : 0);
      const ranked = [...scores]
        .map(([sourceId, relevance]) => ({ sourceId, relevance, rank: rank(sourceId, relevance) }))
        .sort((a, b) => b.rank - a.rank || (a.sourceId < b.sourceId ? -1 : 1));
      return [id, ranked.map(({ sourceId, relevance }) => ({ sourceId, relevance }))] as const;
    }),
  );
}
