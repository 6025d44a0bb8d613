import type { Passage } from '../../contracts/source/passage';
import { isBackMatter } from '../../language/back-matter';
import { termFinder } from '../../language/term-finder';
import { terms } from '../../language/words';

/** A document's own account of itself, its methods included: it says who was studied, and is read before all else. */
const OWN_ACCOUNT = /\babstract\b/i;
const OWN_ACCOUNT_FIRST = 1_000;

/** What is said in back matter counts for so little that any of the account comes before it. */
const BACK_MATTER_LAST = 1e-6;

/** A passage's worth is set against its length; shorter ones than this are mostly headings and captions. */
const MIN_LENGTH = 200;

/**
 * How much each passage of one source says about what is wanted: the rarity-weighted share of the wanted terms that it
 * has, raised where there are numbers, and set against the square root of its length, so that a short paragraph stands up
 * to a long one. The abstract comes first, back matter last.
 */
export function passageScores(passages: readonly Passage[], wanted: string): number[] {
  const wantedTerms = new Set(terms(wanted));
  const findTerms = termFinder(wantedTerms);
  const held = passages.map(({ text }) => findTerms(text));
  const weight = new Map(
    [...wantedTerms].map((term) => {
      const having = held.filter((set) => set.has(term)).length;
      return [term, Math.log(1 + passages.length / (having + 1))] as const;
    }),
  );
  return passages.map((passage, index) => {
    let overlap = 0;
    for (const term of held[index] ?? []) overlap += weight.get(term) ?? 0;
    if (OWN_ACCOUNT.test(passage.headings.join(' '))) return OWN_ACCOUNT_FIRST + overlap;
    const part = isBackMatter(passage.headings) ? BACK_MATTER_LAST : 1;
    const numbers = /\d/.test(passage.text) ? 1.2 : 1;
    return ((overlap + 0.1) * part * numbers) / Math.sqrt(Math.max(passage.text.length, MIN_LENGTH));
  });
}
