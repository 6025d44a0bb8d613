import type { VerifiedReport } from '../../contracts/verification/verified-report';
import { MOST_CITATIONS } from '../../cited-text/cited-report';
import type { GivenSource } from './given-source';
import { verifyReport } from './verify-report';

/** Of a text of a thousand pages; each is told with its quote. */
const MOST_CLAIMS = 10_000;
/** What may be a citation, and what may be a block: to read them takes some thousandths of a second each. */
const MOST_BRACKETS = 50_000;
const MOST_LINES = 50_000;
const MOST_ANSWER_CHARS = 8_000_000;

class TooMuchError extends Error {}

/** A report of a stranger's verified, or why that is not done, as the rest of a sentence that begins with the text's name. */
export function verifyBounded(
  markdown: string,
  sources: readonly GivenSource[],
): { verified: VerifiedReport } | { refused: string } {
  try {
    refuseAbove(MOST_BRACKETS, countOf('[', markdown, MOST_BRACKETS), 'brackets');
    refuseAbove(MOST_LINES, countOf('\n', markdown, MOST_LINES), 'lines');
    const verified = verifyReport(markdown, sources, {
      onRead({ statements, entries, hasMore }) {
        const claims = statements.filter(({ citations }) => citations.length > 0).length;
        refuseAbove(MOST_CLAIMS, claims, 'statements that cite');
        refuseAbove(MOST_CLAIMS, entries.length, 'sources');
        refuseAbove(MOST_CITATIONS, hasMore === true ? Infinity : 0, 'citations');
      },
    });
    refuseAbove(MOST_ANSWER_CHARS, JSON.stringify(verified).length, 'characters in its verdicts');
    return { verified };
  } catch (error) {
    if (error instanceof TooMuchError) return { refused: error.message };
    throw error;
  }
}

/** How often a sign stands in a text, one more than `most` at most. */
function countOf(sign: string, text: string, most: number): number {
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0 && count <= most; at = text.indexOf(sign, at + 1)) count += 1;
  return count;
}

function refuseAbove(most: number, count: number, what: string): void {
  if (count > most)
    throw new TooMuchError(
      `it has more than ${most.toLocaleString('en')} ${what}; verify it in several parts`,
    );
}
