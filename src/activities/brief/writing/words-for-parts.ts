import type { BriefMaterial } from '../../../contracts/brief/brief-material';
import type { BriefSettings } from '../../../contracts/brief/brief-settings';
import { countWords } from '../../../core/writing/shorten';

/** `[12] Author. "Title." URL. Accessed date.`: what a line of the list of sources has besides its title. */
const WORDS_AROUND_TITLE = 6;
/** The title, the notices under it, and the headings that are no subtopic's. */
const WORDS_OF_THE_REST = 120;
/** However long the list of sources, so much of the text is left for its parts. */
const LEAST_SHARE = 0.25;

/** The words that there are for the parts of a brief together: those of the whole text less what is no part of it. */
export function wordsForParts(
  { words, maxWords }: BriefSettings,
  material: BriefMaterial,
): { words: number | null; maxWords: number } {
  const apparatus = apparatusWords(material);
  const left = (all: number): number => Math.round(Math.max(all - apparatus, all * LEAST_SHARE));
  return { words: words === null ? null : left(words), maxWords: left(maxWords) };
}

function apparatusWords({ sources, subtopics }: BriefMaterial): number {
  const listed = sources.reduce(
    (sum, { title, author = '', site = '' }) =>
      sum + WORDS_AROUND_TITLE + countWords(title) + countWords(author === '' ? site : author),
    0,
  );
  const headings = subtopics.reduce((sum, { title }) => sum + 1 + countWords(title), 0);
  return WORDS_OF_THE_REST + listed + headings;
}
