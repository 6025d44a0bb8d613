import type { BriefMaterial } from '../../../contracts/brief/brief-material';
import type { BriefSettings } from '../../../contracts/brief/brief-settings';
import { sourcesList } from '../../../briefs/sources-list';
import { wordCount } from '../../../briefs/word-count';
import type { BriefPlan } from '../../../contracts/brief/brief-plan';
import type { PlanBriefInput } from '../../../steps/plan-brief/plan-brief';

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

/** What opens or ends a brief has this share of its words, within these bounds (document 000: two to three paragraphs). */
const FRAME_SHARE = 0.12;
const FRAME_WORDS = { least: 60, most: 450 };
/** In a short brief it has a larger share, up to so many words. */
const SHORT_FRAME = { share: 0.2, words: 120 };
/** A subtopic in a writer's words has so much more than the statements that it tells, at most: else it would be padded. */
const MOST_OF_STATEMENTS = 1.5;
const LEAST_WORDS = 40;

/** The words that a model is asked for, by the part's id. */
export function wordsOfParts(
  { parts }: BriefPlan,
  { words, maxWords }: Pick<BriefSettings, 'words' | 'maxWords'>,
): Map<string, number> {
  const isFrame = (id: string): boolean => id === 'summary' || id === 'conclusions';
  const told = parts.reduce((sum, part) => sum + (isFrame(part.id) ? 0 : part.words), 0);
  const frames = parts.filter(({ id }) => isFrame(id)).length;
  const whole = words ?? Math.min(maxWords, told);
  const share = Math.max(whole * FRAME_SHARE, Math.min(SHORT_FRAME.words, whole * SHORT_FRAME.share));
  const frame = Math.min(FRAME_WORDS.most, Math.max(FRAME_WORDS.least, share));
  const left = Math.max(0, (words ?? Math.min(maxWords, told + frames * frame)) - frames * frame);
  return new Map(
    parts.map((part) => {
      const ofLeft = (left * part.words) / Math.max(1, told);
      const own = Math.max(LEAST_WORDS, Math.min(ofLeft, part.words * MOST_OF_STATEMENTS));
      return [part.id, Math.max(10, Math.round((isFrame(part.id) ? frame : own) / 10) * 10)];
    }),
  );
}
