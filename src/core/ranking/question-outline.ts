import type { OutlinePlan } from '../../contracts/report/outline';
import { READ_FROM } from './ranked-outline';

const MAX_TITLE_CHARS = 120;
/** What shares most words with the question has this relevance. */
const MOST = 0.95;

/** One section with the question as its title and every source in it: where pass 1 fails, and where there is one pass only. */
export function questionOutline(
  question: string,
  sourceIds: readonly string[],
  /** How much of the question's words each has, 0–1, in the order of the ids. */
  nearness: readonly number[],
): OutlinePlan {
  const all = sourceIds.length === 1 ? 'the only source' : `all ${sourceIds.length} sources`;
  return {
    overallTheme:
      sourceIds.length === 1
        ? 'What the only source says on the question, not grouped by themes.'
        : `What all ${sourceIds.length} sources say on the question, not grouped by themes.`,
    sections: [
      {
        id: 'section-1',
        title: titleOfQuestion(question),
        description: `What ${all} say on the question.`,
        subsections: [],
        relevantSources: sourceIds
          .map((sourceId, at) => ({
            sourceId,
            relevance: Math.round(100 * (READ_FROM + (MOST - READ_FROM) * (nearness[at] ?? 0))) / 100,
          }))
          .sort((a, b) => b.relevance - a.relevance || (a.sourceId < b.sourceId ? -1 : 1)),
      },
    ],
  };
}

export function titleOfQuestion(question: string): string {
  const title = question.replace(/\s+/g, ' ').trim();
  return title.length <= MAX_TITLE_CHARS ? title : `${title.slice(0, MAX_TITLE_CHARS - 1)}…`;
}
