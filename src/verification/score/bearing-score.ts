import { rarityOf } from '../../reading/features/rarity';
import { splitSentences } from '../../language/sentences';
import { terms } from '../../language/words';

/** How likely it is by words alone that the passages bear a claim: the weighted share of its words in the best three sentences. */
export function bearingScore(claim: string, passages: readonly string[]): number {
  const wanted = [...new Set(terms(claim))];
  const weights = wanted.map((stem) => rarityOf(stem, 0, 0));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return 0;
  const best = passages.flatMap((passage) => {
    const sentences = splitSentences(passage).map(({ text }) => new Set(terms(text)));
    return sentences.map((_, at) => {
      const window = sentences.slice(at, at + 3);
      return weights.reduce(
        (sum, weight, word) => (window.some((held) => held.has(wanted[word] ?? '')) ? sum + weight : sum),
        0,
      );
    });
  });
  return Math.max(0, ...best) / total;
}
