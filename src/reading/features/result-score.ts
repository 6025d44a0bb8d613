import { memoized } from '../../language/memoized';
import trained from '../data/result-weights.json';

/** A sentence is scored for itself and for its neighbours. */
const REMEMBERED = 1_000;

const weights = new Map<string, number>(Object.entries(trained.weights));
const WORD = /[a-z']+/g;

/**
 * The words that the result score goes by: lower case, numbers as `num`, p-values as `pvalue`, citation marks as `citeref`,
 * so that what is reported counts and not how much it is.
 */
export function resultWords(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replace(/\[[\d,\s–-]+\]/g, ' citeref ')
    .replace(/\bp\s*(?:-?values?)?\s*(?:[<>=≤≥]|&[lg]t;)\s*0?\.\d+/g, ' pvalue ')
    .replace(/\d+(?:[.,]\d+)*/g, ' num ')
    .replaceAll('±', ' plusminus ')
    .replaceAll('%', ' pct ');
  return plain.match(WORD) ?? [];
}

/**
 * How far a sentence asserts a result rather than an aim, a method or background: the log-odds of logistic regression on
 * its words and word pairs, each counted once. It ranks; it refuses nothing. Learned by `training/` from sentences under the
 * headings of structured abstracts.
 */
export const resultScore = memoized((text) => {
  let score = trained.intercept;
  for (const feature of wordsWithPairs(text)) score += weights.get(feature) ?? 0;
  return score;
}, REMEMBERED);

function wordsWithPairs(text: string): Set<string> {
  const words = resultWords(text);
  return new Set(
    words.flatMap((word, at) => (at + 1 < words.length ? [word, `${word} ${words[at + 1]}`] : [word])),
  );
}
