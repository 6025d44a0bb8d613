import type { Passage } from './contracts/passage';
import { termFinder } from '../language/term-finder';
import { terms } from '../language/words';

/** Parts of a document that state results, and parts that state none. */
const RESULT_PARTS =
  /\b(abstract|results?|findings?|conclusions?|discussion|summary|outcomes?|key points)\b/i;
const OTHER_PARTS =
  /\b(methods?|materials|references|bibliography|acknowledge?ments?|funding|competing|conflicts? of interest|contributions?|abbreviations|supplementary|licen[cs]e)\b/i;

/** A document's own account of itself, its methods included: it says who was studied, and is read before all else. */
const OWN_ACCOUNT = /\babstract\b/i;
const OWN_ACCOUNT_FIRST = 1_000;

/** A passage's worth is set against its length; shorter ones than this are mostly headings and captions. */
const MIN_LENGTH = 200;

/**
 * How much each passage of one source says about what is wanted: the rarity-weighted share of the wanted terms that it
 * has, raised where results stand and where there are numbers, lowered in methods and back matter, and
 * set against the square root of its length, so that a short paragraph stands up to a long one. The abstract comes first.
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
    const headings = passage.headings.join(' ');
    if (OWN_ACCOUNT.test(headings)) return OWN_ACCOUNT_FIRST + overlap;
    const part = RESULT_PARTS.test(headings) ? 1.5 : OTHER_PARTS.test(headings) ? 0.3 : 1;
    const numbers = /\d/.test(passage.text) ? 1.2 : 1;
    return ((overlap + 0.1) * part * numbers) / Math.sqrt(Math.max(passage.text.length, MIN_LENGTH));
  });
}
