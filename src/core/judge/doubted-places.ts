import type { JudgedClaim, JudgedDocument } from '../../contracts/judge/judged-document';
import type { JudgedPlace } from '../../contracts/judge/judgement';

/** Of each part so many places are named; a writer that mends them reads the whole part anyway. */
const MOST_OF_A_PART = 5;

/**
 * Where claims stand that nothing bears, or in the place of which something else stands now. Claims that nobody checked are no
 * places: writing them anew in other words would not make them sure.
 */
export function doubtedPlaces({ parts, claims }: Pick<JudgedDocument, 'parts' | 'claims'>): JudgedPlace[] {
  return parts.flatMap(({ id, markdown }) => {
    const quotes = claims
      .filter((claim) => claim.partId === id && isDoubted(claim))
      .map(({ text, written = text }) => (markdown.includes(written) ? written : null));
    return [...new Set(quotes)].slice(0, MOST_OF_A_PART).map((quote) => ({ partId: id, quote }));
  });
}

function isDoubted({ verdict, stands }: JudgedClaim): boolean {
  return !stands || verdict === 'unsupported' || verdict === 'contradicted' || verdict === 'partial';
}
