import type {
  AskedCritic,
  ReportProblem,
  ReportProblemKind,
  VerifiedClaim,
  VerifiedReport,
} from '../../contracts/verification/verified-report';
import { auditLine } from '../../verification/report/audit-line';
import { safeExcerpt, safeLine } from '../terminal/safe-text';
import type { Terminal } from '../terminal/terminal';
import { count, groupedDigits } from '../../core/values/grouped-digits';
import { WORST_FIRST } from './worst-first';
import { placeName, reasonOf } from '../../verification/report/place-name';
import { verdictName } from '../../verification/report/with-verdicts';
import { renderTable } from '../terminal/table';

const SUPPORTED_TOLD = 20;
const PROBLEMS_TOLD = 10;

const PROBLEM_TITLES: Record<ReportProblemKind, string> = {
  'not-read': 'Parts that are not read',
  'citation-without-entry': 'Citations without an entry in the list of sources',
  'source-missing': 'Entries whose source is not among those given',
  'source-ambiguous': 'Entries that several given sources fit',
  'entry-not-cited': 'Entries that nothing cites',
  'source-unused': 'Given sources that the report does not cite',
};

/** What a person is told of a verified report: the counts, the claims with the worst first, then what else is wrong. */
export function verifiedLines(
  { claims, audit, citations, critic, problems, sources }: VerifiedReport,
  { width, colours }: Pick<Terminal, 'width' | 'colours'>,
): string[] {
  const worstFirst = [...claims].sort((one, other) => rank(one) - rank(other) || byLikelihood(one, other));
  const told = worstFirst.slice(0, claims.length - audit.supported + SUPPORTED_TOLD);
  const untold = claims.length - told.length;
  return [
    colours.bold(auditLine({ audit, critic })),
    ...(critic === null ? [] : [criticLine(critic)]),
    `${count(citations.found, 'citation')}: ${citations.resolved} resolved, ${citations.unresolved} unresolved, ` +
      `${citations.ambiguous} ambiguous. ${sources.cited} of ${count(sources.given, 'given source')} cited.`,
    '',
    ...claimLines(told, sources.titles, width),
    ...(untold === 0 ? [] : [`… and ${untold} more that are supported; --json has them all`]),
    ...problemLines(problems),
  ];
}

function rank({ verdict }: VerifiedClaim): number {
  return WORST_FIRST.indexOf(verdict);
}

/** Of what stays open the least likely first. */
function byLikelihood(one: VerifiedClaim, other: VerifiedClaim): number {
  if (one.verdict !== 'unchecked') return 0;
  return (one.probability ?? 0) - (other.probability ?? 0);
}

/** `A critic, large, was asked about 60 claims: 2 calls, 9,120 tokens in, 2,345 out, $0.0123.` */
function criticLine({ model, claims, unasked, usage }: AskedCritic): string {
  const { calls, cachedCalls, inputTokens, outputTokens, costUsd } = usage;
  const paid = [
    count(calls, 'call'),
    ...(cachedCalls === 0 ? [] : [`${count(cachedCalls, 'answer')} kept from before`]),
    `${groupedDigits(inputTokens)} tokens in`,
    `${groupedDigits(outputTokens)} out`,
    `$${costUsd.toFixed(4)}`,
  ];
  const rest = unasked === 0 ? '' : ` It was not asked about ${unasked}.`;
  return `A critic, ${safeLine(model)}, was asked about ${count(claims, 'claim')}: ${paid.join(', ')}.${rest}`;
}

function problemLines(problems: readonly ReportProblem[]): string[] {
  return Object.entries(PROBLEM_TITLES).flatMap(([kind, title]) => {
    const own = problems.filter((problem) => problem.kind === kind);
    const [first] = own;
    if (first === undefined) return [];
    const rest = own.length - PROBLEMS_TOLD;
    // What to do is the same for most of a kind, and is told once then.
    const isSame = own.every(({ message }) => message === first.message);
    return [
      '',
      `${title}: ${own.length}`,
      ...own.slice(0, PROBLEMS_TOLD).map((problem) => problemLine(problem, !isSame)),
      ...(rest > 0 ? [`  … and ${rest} more; --json has them all`] : []),
      ...(!isSame ? [] : [`  ${safeExcerpt(first.message, 300)}`]),
    ];
  });
}

function problemLine({ line, text, message }: ReportProblem, isDetailed: boolean): string {
  const where = line === null ? '' : `line ${line}  `;
  const detail = isDetailed ? `: ${message}` : '';
  return `  ${where}${safeExcerpt(text, 100)}${safeExcerpt(detail, 400)}`;
}

type Titles = VerifiedReport['sources']['titles'];

const HEADER = ['line', 'verdict', 'claim', 'reason', 'place'];
/** What the first two columns take, and the spaces between all. */
const NARROW_COLUMNS = 26;
const MOST_WIDTH = 80;
/** On fewer columns a row would cut every reason. */
const TABLE_WIDTH = 140;
const [INDENT, LEAST_WIDTH] = [6, 40];

/** Claims as a table; where it would be too narrow, each on its line, with reason and place below where it is not supported. */
function claimLines(claims: readonly VerifiedClaim[], titles: Titles, width: number): string[] {
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
