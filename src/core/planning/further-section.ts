import type { Collection } from './collection';
import { sentenceCase } from './headings';
import type { PlannedSection } from './planned-section';
import type { QuestionFit } from './question-fit';
import { MOST_LISTED, OWN_RELEVANCE } from './relevance';

/** Sources to the question that no theme took in get a last section under the question's own topic. */
export function furtherSection(
  planned: readonly PlannedSection[],
  collection: Collection,
  fit: QuestionFit,
): PlannedSection | null {
  const placed = new Set(
    planned.flatMap((section) =>
      section.sources.filter(({ relevance }) => relevance >= OWN_RELEVANCE).map(({ sourceId }) => sourceId),
    ),
  );
  const left = collection.sources
    .map(({ sourceId }, source) => ({
      sourceId,
      relevance: Math.round(100 * Math.min(0.75, 0.4 + 0.35 * (fit.fit[source] ?? 0))) / 100,
    }))
    .filter(({ sourceId }) => !placed.has(sourceId));
  if (fit.broad || fit.mainTopic === null || left.length < Math.max(2, 0.15 * collection.sources.length))
    return null;
  const phrase =
    planned.length === 0 ? (fit.subjectMatter ?? fit.mainTopic) : `further results on ${fit.mainTopic}`;
  return {
    title: sentenceCase(phrase),
    phrase,
    setting: null,
    subsections: [],
    sources: left
      .sort((a, b) => b.relevance - a.relevance || (a.sourceId < b.sourceId ? -1 : 1))
      .slice(0, MOST_LISTED),
  };
}
