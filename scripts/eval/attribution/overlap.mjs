import { built } from '../built.mjs';

const SENTENCES = 3;
/** Tuned on the development half of AttributionBench; nothing else here is. */
const ENOUGH = 0.54;

/** The plain baseline: whether three sentences that follow each other hold enough of a claim's content words. */
export function hasOverlap(claim, passages) {
  const { splitSentences } = built('language/sentences.js');
  const { terms } = built('language/words.js');
  const wanted = new Set(terms(claim));
  if (wanted.size === 0) return false;
  return passages.some((passage) => {
    const sentences = splitSentences(passage).map(({ text }) =>
      terms(text).filter((term) => wanted.has(term)),
    );
    return sentences.some(
      (_sentence, from) =>
        new Set(sentences.slice(from, from + SENTENCES).flat()).size >= ENOUGH * wanted.size,
    );
  });
}
