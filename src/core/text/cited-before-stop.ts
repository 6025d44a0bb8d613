import { citationMark } from './citation-marks';

/** One mark that ends a sentence, with what closes around it; an ellipsis stays where it is. */
const STOP = /(?<![.!?])[.!?](["'”’)\]]*)$/;
/** `a.m.`, `U.S.`: the last stop is of the word, and the sentence's own is not written. */
const ABBREVIATED = /(?<![\p{L}\p{N}])(?:\p{L}\.)+\p{L}\.["'”’)\]]*$/u;

/** A sentence with its citations before the full stop; `word` is how its words are written in the text. */
export function citedBeforeStop(
  sentence: string,
  citations: readonly string[],
  word: (text: string) => string,
): string {
  const stop = ABBREVIATED.test(sentence) ? '' : (STOP.exec(sentence)?.[0] ?? '');
  const body = word(sentence.slice(0, sentence.length - stop.length));
  return `${body} ${citationMark(citations)}${stop || '.'}`;
}
