import type { VerifiedReport } from '../../contracts/verification/verified-report';
import { MOST_CITATIONS } from '../../cited-text/cited-report';
import type { GivenSource } from './given-source';
import { verifyReport } from './verify-report';

/** A text of 1,000 pages has about as many. */
const MOST_CLAIMS = 10_000;
/** Each bracket may be a citation and each line a block; reading one takes milliseconds. */
const MOST_BRACKETS = 50_000;
const MOST_LINES = 50_000;
const MOST_ANSWER_CHARS = 8_000_000;

class TooMuchError extends Error {}

/** Verifies an untrusted report. `refused` is the reason, worded to follow the text's name in a sentence. */
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

/** Counts a sign in a text, up to `most` + 1. */
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
