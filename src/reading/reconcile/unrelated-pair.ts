import { terms } from '../../language/words';
import { distinctBy } from '../../core/values/distinct-by';
import { besideKey, type ClaimBesideQuote } from './bearing';

/** Fewer words of its own may be said in other words by accident. */
const LEAST_OWN = 3;

/**
 * One of the claims beside a quote that was named for another one and has nothing of it but words of the question: surely neither
 * the same nor the contrary. Of all such pairs the one that has most to say on both sides; null where there is none.
 */
export function unrelatedPair(pairs: readonly ClaimBesideQuote[], question: string): ClaimBesideQuote | null {
  const asked = new Set(terms(question));
  const ownWords = (text: string): Set<string> => new Set(terms(text).filter((term) => !asked.has(term)));
  const named = new Set(pairs.map(besideKey));
  const others = pairs.map((one) => ({ one, words: ownWords(one.evidence.quote) }));
  let best: { pair: ClaimBesideQuote; words: number } | null = null;
  for (const claim of distinctBy(pairs, ({ claim: text }) => text)) {
    const own = ownWords(claim.claim);
    for (const { one, words } of others) {
      const pair = { ...claim, evidence: one.evidence };
      const telling = Math.min(own.size, words.size);
      const isApart = one.evidence.sourceId !== claim.claimedBy && one.claim !== claim.claim;
      if (!isApart || telling < LEAST_OWN || telling <= (best?.words ?? 0) || named.has(besideKey(pair)))
        continue;
      if ([...own].every((word) => !words.has(word))) best = { pair, words: telling };
    }
  }
  return best?.pair ?? null;
}
