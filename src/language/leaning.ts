import data from './data/leaning-words.json';

const LEANING = new Set(data.words);
const FIRST_WORD = /^["'“‘([]*([\p{L}]+)/u;

/** Whether a sentence leans on the one before it, so that it does not stand alone: `This held in women, too.` */
export function leansOnBefore(sentence: string): boolean {
  return LEANING.has(FIRST_WORD.exec(sentence)?.[1]?.toLowerCase() ?? '');
}
