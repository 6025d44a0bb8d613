import type { VerifiedClaim, VerifiedReport } from '../../contracts/verification/verified-report';
import { placeName, reasonOf } from '../../verification/report/place-name';
import { verdictName } from '../../verification/report/verdict-name';
import { safeExcerpt } from '../terminal/safe-text';
import { renderTable } from '../terminal/table';

type Titles = VerifiedReport['sources']['titles'];

const HEADER = ['line', 'verdict', 'claim', 'reason', 'place'];
/** What the first two columns take, and the spaces between all. */
const NARROW_COLUMNS = 26;
const MOST_WIDTH = 80;
/** On fewer columns a row would cut every reason. */
const TABLE_WIDTH = 140;
const [INDENT, LEAST_WIDTH] = [6, 40];

/** Claims as a table; where it would be too narrow, each on its line, with reason and place below where it is not supported. */
export function claimLines(claims: readonly VerifiedClaim[], titles: Titles, width: number): string[] {
  if (width < TABLE_WIDTH) return claims.flatMap((claim) => stacked(claim, titles, width));
  const column = Math.min(MOST_WIDTH, Math.floor((width - NARROW_COLUMNS) / 3));
  const rows = claims.map((claim) => {
    const told = [claim.text, reasonOf(claim, titles), placeOf(claim, titles)];
    return [String(claim.line), verdictName(claim), ...told.map((cell) => safeExcerpt(cell, column))];
  });
  return renderTable(HEADER, rows, width);
}

function stacked(claim: VerifiedClaim, titles: Titles, width: number): string[] {
  const head = `line ${claim.line}  ${verdictName(claim)}  `;
  const below = claim.verdict === 'supported' ? [] : [reasonOf(claim, titles), placeOf(claim, titles)];
  return [
    head + safeExcerpt(claim.text, Math.max(LEAST_WIDTH, width - head.length)),
    ...below
      .filter((text) => text !== '')
      .map((text) => ' '.repeat(INDENT) + safeExcerpt(text, Math.max(LEAST_WIDTH, width - INDENT))),
  ];
}

function placeOf(claim: VerifiedClaim, titles: Titles): string {
  return claim.evidence === null ? '' : `${placeName(claim, titles) ?? ''} “${claim.evidence.quote}”`;
}
