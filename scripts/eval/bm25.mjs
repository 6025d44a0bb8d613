import { built } from './built.mjs';

const K1 = 1.2;
const B = 0.75;

/**
 * The plain baseline: BM25 over stems without function words, with nothing learned and nothing tuned. `of(query)` gives the
 * score of each text.
 */
export function bm25Over(texts) {
  const { terms } = built('language/words.js');
  const lengths = [];
  const postings = new Map();
  texts.forEach((text, at) => {
    const counts = new Map();
    const stems = terms(text);
    for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    lengths.push(stems.length);
    for (const [stem, count] of counts) {
      if (!postings.has(stem)) postings.set(stem, []);
      postings.get(stem).push({ at, count });
    }
  });
  const average = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, texts.length));
  return {
    of(query) {
      const scores = new Float64Array(texts.length);
      for (const stem of new Set(terms(query))) {
        const holders = postings.get(stem) ?? [];
        const rarity = Math.log(1 + (texts.length - holders.length + 0.5) / (holders.length + 0.5));
        for (const { at, count } of holders) {
          const norm = K1 * (1 - B + (B * lengths[at]) / average);
          scores[at] += (rarity * count * (K1 + 1)) / (count + norm);
        }
      }
      return scores;
    },
  };
}
