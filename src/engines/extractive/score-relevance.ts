import { lexicalRelevance } from '../../core/ranking/lexical-relevance';
import { READ_FROM } from '../../core/ranking/ranked-outline';
import type { ScoreRelevanceInput, ScoreRelevanceOutput } from '../../steps/score-relevance/contract';

/** What the plan did not name in a section lies below what is read for it. */
const HIGHEST_UNNAMED = READ_FROM - 0.01;

/** The plan's own scores, and for what it did not name how many of the section's words the source has. */
export function scoreRelevanceExtractively({ sections, sources }: ScoreRelevanceInput): ScoreRelevanceOutput {
  const words = lexicalRelevance(sections, sources);
  const planned = sections.map(
    ({ relevantSources }) => new Map(relevantSources.map(({ sourceId, relevance }) => [sourceId, relevance])),
  );
  return {
    scores: sources.map(({ sourceId }, source) => ({
      sourceId,
      sections: sections.map(({ id }, section) => {
        const shared = HIGHEST_UNNAMED * (words[section]?.[source] ?? 0);
        const relevance = planned[section]?.get(sourceId) ?? Math.round(100 * shared) / 100;
        return { sectionId: id, relevance };
      }),
    })),
  };
}
