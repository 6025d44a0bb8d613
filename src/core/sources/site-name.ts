import { splitSentences } from '../../language/sentences';

/** The longest names of journals have about a hundred characters, and thirteen words. */
const MAX_CHARS = 120;
const MAX_WORDS = 15;
/** What is shorter and ends with a stop is an abbreviation or a name: `Nutr. Rev.`, `Yahoo!`. */
const WORDS_OF_A_SENTENCE = 4;
const STOP = /[.!?…]["'”’)]*$/;

/** Whether a line can be the name of a site or a journal, or a host: it is short, and no sentence. */
export function isSiteName(line: string): boolean {
  if (line.length > MAX_CHARS || wordsIn(line) > MAX_WORDS) return false;
  return splitSentences(line).every(({ text }) => wordsIn(text) < WORDS_OF_A_SENTENCE || !STOP.test(text));
}

function wordsIn(line: string): number {
  return line.split(/\s+/).length;
}
