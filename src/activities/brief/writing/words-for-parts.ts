import type { BriefMaterial } from '../../../contracts/brief/brief-material';
import type { BriefSettings } from '../../../contracts/brief/brief-settings';
import { sourcesList } from '../../../briefs/sources-list';
import { wordCount } from '../../../briefs/word-count';
import type { PlanBriefInput } from '../../../steps/plan-brief/contract';

/** The title, the notices under it, and the headings that are no subtopic's. */
const WORDS_OF_THE_REST = 80;
/** However long the list of sources, so much of the text is left for its parts. */
const LEAST_SHARE = 0.25;

/** The words that there are for the parts of a brief together: those of the whole text less what is no part of it. */
export function wordsForParts(
  { words, maxWords }: BriefSettings,
  material: BriefMaterial,
): { words: number | null; maxWords: number } {
  const listed = Object.values(linesOf(material)).reduce((sum, line) => sum + line, 0);
  const apparatus = wordsAround(material) + listed;
  const left = (all: number): number => Math.round(Math.max(all - apparatus, all * LEAST_SHARE));
  return { words: words === null ? null : left(words), maxWords: left(maxWords) };
}

/** The words that there are for the parts and the list of sources together, and what each source takes of them where it is cited. */
export function wordsWithList(
  { words, maxWords }: BriefSettings,
  material: BriefMaterial,
): Required<PlanBriefInput>['list'] {
  const left = (all: number): number => Math.round(Math.max(all - wordsAround(material), all * LEAST_SHARE));
  return {
    lines: linesOf(material),
    words: words === null ? null : left(words),
    maxWords: left(maxWords),
  };
}

function linesOf({ sources }: BriefMaterial): Record<string, number> {
  return Object.fromEntries(sources.map((source) => [source.id, wordCount(sourcesList([source]))]));
}

function wordsAround({ subtopics }: BriefMaterial): number {
  return subtopics.reduce((sum, { title }) => sum + wordCount(`### ${title}`), WORDS_OF_THE_REST);
}
