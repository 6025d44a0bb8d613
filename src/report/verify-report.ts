import type {
  ReportProblem,
  VerifiedClaim,
  VerifiedEntry,
  VerifiedReport,
} from '../contracts/verified-report';
import { distinctBy } from '../lib/iterables';
import {
  type Citation,
  type CitedReport,
  type CitedStatement,
  MAX_CITATIONS,
  type UnreadPart,
} from './cited-markdown/cited-statements';
import { createSourceNames, matchSources, type SourceMatch } from './cited-markdown/match-sources';
import { readCitedReport } from './cited-markdown/read-cited-report';
import { withoutOwnRemarks } from './claims';
import { CHECK_LINE, reportTexts } from './report-texts';
import {
  auditOf,
  type GivenSource,
  type PreparedSources,
  prepareSources,
  titlesOfSources,
  verifyStatement,
} from './statement-verdicts';

const UNREAD_MESSAGES: Record<UnreadPart['kind'], string> = {
  'open-code':
    'The block of code that begins here is never closed, so that everything down to line LAST is code, and is not read. Close it where its code ends.',
  code: 'This block of code holds a list of sources, and code is not read. Take out the lines that make it code.',
  html: 'This block of HTML cites, and its sentences are not read. Write them in Markdown.',
};

export type { GivenSource } from './statement-verdicts';

export const CITES_NOTHING =
  'nothing in it cites anything in a form that can be read. Known are [1], [^1], [https://…], links, and [file.pdf] for a given file.';

export interface VerifyReportOptions {
  /** Called before the first claim and after each. */
  onProgress?: (progress: { done: number; claims: number }) => void;
  /** Called before any claim is verified; an error that it throws stops the verification. */
  onRead?: (report: CitedReport) => void;
}

/** Compares words only. Source ids have to be unique; several sources are checked together. A report's content never makes it throw. */
export function verifyReport(
  markdown: string,
  sources: readonly GivenSource[],
  options: VerifyReportOptions = {},
): VerifiedReport {
  return verifyPreparedReport(markdown, sources, prepareSources(sources, [markdown]), options);
}

export function verifyPreparedReport(
  markdown: string,
  sources: readonly GivenSource[],
  held: PreparedSources,
  { onProgress = () => undefined, onRead }: VerifyReportOptions = {},
): VerifiedReport {
  const { report, matches } = matchReport(markdown, sources, onRead);
  const matchOf = ({ entry }: Citation): SourceMatch | undefined =>
    entry === null ? undefined : matches[entry];
  const cited = report.statements.filter(({ citations }) => citations.length > 0);
  onProgress({ done: 0, claims: cited.length });
  const claims = cited.map((statement, at): VerifiedClaim => {
    const claim = claimOf(statement, `C${at + 1}`, report, matchOf);
    const ids = new Set(claim.citations.flatMap(({ sourceId }) => sourceId ?? []));
    const verdict = verifyStatement(
      { plain: statement.plain, markdown: markdown.slice(statement.start, statement.end) },
      [...ids],
      held,
    );
    onProgress({ done: at + 1, claims: cited.length });
    return { ...claim, ...verdict };
  });
  const matched = report.citations.map(matchOf);
  const resolved = matched.filter((match) => match !== undefined && match.source !== null).length;
  const ambiguous = matched.filter((match) => match !== undefined && match.between.length > 0).length;
  const timesCited = timesCitedOf(report);
  const citedSources = new Set(matched.flatMap((match) => match?.source ?? []));
  const uncited = report.statements.length - cited.length;
  return {
    claims,
    audit: auditOf(claims, uncited),
    citations: {
      found: matched.length,
      resolved,
      ambiguous,
      unresolved: matched.length - resolved - ambiguous,
    },
    entries: report.entries.map((entry, at) => entryOf(entry, matches[at], timesCited.get(at) ?? 0)),
    sources: { given: sources.length, cited: citedSources.size, titles: titlesOfSources(claims, sources) },
    critic: null,
    problems: reportProblems({ markdown, report, matches, sources, citedSources }),
  };
}

function claimOf(
  { plain, line, start, end, heading, citations }: CitedStatement,
  id: string,
  report: CitedReport,
  matchOf: (citation: Citation) => SourceMatch | undefined,
): Pick<VerifiedClaim, 'id' | 'text' | 'line' | 'start' | 'end' | 'heading' | 'citations'> {
  const own = citations.flatMap((at) => report.citations[at] ?? []);
  return {
    id,
    text: plain,
    line,
    start,
    end,
    heading,
    citations: own.map((citation) => ({
      label: citation.label,
      sourceId: matchOf(citation)?.source ?? null,
    })),
  };
}

function entryOf(
  { label, line, text, url, title }: CitedReport['entries'][number],
  match: SourceMatch | undefined,
  timesCited: number,
): VerifiedEntry {
  return { label, line, text, url, title, sourceId: match?.source ?? null, timesCited };
}

function timesCitedOf({ citations }: CitedReport): ReadonlyMap<number, number> {
  const times = new Map<number, number>();
  for (const { entry } of citations) if (entry !== null) times.set(entry, (times.get(entry) ?? 0) + 1);
  return times;
}

interface CheckedReport {
  markdown: string;
  report: CitedReport;
  matches: readonly SourceMatch[];
  sources: readonly GivenSource[];
  citedSources: ReadonlySet<string>;
}

/** Problems that keep claims from being checked, and unused entries and sources, in the order of lines. */
function reportProblems(checked: CheckedReport): ReportProblem[] {
  const ofText = [...unreadParts(checked), ...strayCitations(checked), ...entryProblems(checked)];
  const inOrder = ofText.sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
  return [...inOrder, ...unusedSources(checked)];
}

function unreadParts({ report: { unread }, markdown }: CheckedReport): ReportProblem[] {
  return unread.map(({ kind, start, end, line }) => {
    const text = markdown.slice(start, end).trimEnd();
    const last = line + text.split('\n').length - 1;
    return {
      kind: 'not-read',
      line,
      text: text.split('\n')[0]?.trimEnd() ?? '',
      message: UNREAD_MESSAGES[kind].replace('LAST', `${last}`),
      sourceIds: [],
    };
  });
}

/** A repeated label is one problem, at its first place. */
function strayCitations({ report: { citations } }: CheckedReport): ReportProblem[] {
  const stray = citations.filter(({ entry }) => entry === null);
  const marks = countBy(citations.map(({ start }) => start));
  return distinctBy(stray, ({ form, label }) => `${form} ${label}`).map(
    ({ start, line, written, label }) => ({
      kind: 'citation-without-entry',
      line,
      // One mark may cite several sources, of which others have entries.
      text: (marks.get(start) ?? 1) > 1 ? `${label} in ${written}` : written,
      message:
        "No entry of the report's list of sources answers to it, or more than one does. Add the entry, or correct the citation.",
      sourceIds: [],
    }),
  );
}

function entryProblems({ report, matches }: CheckedReport): ReportProblem[] {
  const cited = new Set(report.citations.map(({ entry }) => entry));
  return report.entries.flatMap(({ line, text }, at): ReportProblem[] => {
    const match = matches[at];
    const problems: ReportProblem[] = [];
    if (!cited.has(at)) {
      problems.push({
        kind: 'entry-not-cited',
        line,
        text,
        message: 'No statement cites this entry. Cite it where it is used, or take it out.',
        sourceIds: match?.source === undefined || match.source === null ? [] : [match.source],
      });
    }
    if (match !== undefined && match.between.length > 0) {
      problems.push({
        kind: 'source-ambiguous',
        line,
        text,
        message: `${match.between.length} of the given sources fit this entry, so that none is taken: ${match.between.join(', ')}. Give the entry its full address, or give one of them alone.`,
        sourceIds: match.between,
      });
    } else if (match === undefined || match.source === null) {
      problems.push({
        kind: 'source-missing',
        line,
        text,
        message:
          'None of the given sources fits this entry, so that what cites it cannot be checked. Give its text with --sources, with this address or title.',
        sourceIds: [],
      });
    }
    return problems;
  });
}

function unusedSources({ sources, citedSources }: CheckedReport): ReportProblem[] {
  return sources
    .filter(({ id }) => !citedSources.has(id))
    .map(({ id, title }) => ({
      kind: 'source-unused',
      line: null,
      text: title,
      message:
        'The report does not cite this source. Look whether it says something that the report leaves out.',
      sourceIds: [id],
    }));
}

function countBy(values: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

export interface MatchedReport {
  report: CitedReport;
  matches: SourceMatch[];
}

export function matchReport(
  markdown: string,
  sources: readonly GivenSource[],
  onRead?: (report: CitedReport) => void,
): MatchedReport {
  const described = sources.map(({ id, url = null, title, file, author, publishedAt }) => ({
    id,
    url,
    title,
    file,
    author,
    publishedAt,
  }));
  const report = withoutOwnStatements(readCitedReport(markdown, createSourceNames(described)));
  onRead?.(report);
  return { report, matches: matchSources(report.entries, described) };
}

export function citedSources(markdown: string, sources: readonly GivenSource[]): string[] {
  const { matches } = matchReport(markdown, sources);
  return [...new Set(matches.flatMap(({ source }) => source ?? []))];
}

/** Heading and item form of the list of rejected claims, in reports and briefs up to 0.6. */
const SET_ASIDE_HEADING = 'Claims Set Aside';
const ASIDE_ITEM = /^A\d+, [a-z]+: /;

/** Removes a Colligate report's statements about itself. Other reports stay unchanged. */
function withoutOwnStatements(report: CitedReport): CitedReport {
  const { statements } = report;
  const { headings: known } = reportTexts;
  const isOwn = statements.some(({ plain }) => plain.startsWith(CHECK_LINE.trim()));
  // Sections whose uncited sentences are the report's own words.
  const partlyOwn = isOwn ? [known.conflicts, known.limits, known.gaps] : [];
  const aside = statements.find(({ heading }) => heading === SET_ASIDE_HEADING);
  const hasAsides = aside !== undefined && ASIDE_ITEM.test(aside.plain);
  const isApparatus = ({ heading, citations, plain }: CitedStatement): boolean => {
    if (hasAsides && heading === SET_ASIDE_HEADING) return true;
    if (isOwn && (heading === known.followUps || heading === known.sources)) return true;
    return citations.length === 0 && (partlyOwn.includes(heading ?? '') || isRemark(plain));
  };
  return { ...report, statements: statements.filter((statement) => !isApparatus(statement)) };
}

/** A remark that was split from its sentence. */
function isRemark(plain: string): boolean {
  const said = withoutOwnRemarks(plain);
  return said !== plain && !/[\p{L}\p{N}]/u.test(said);
}

/** A text of 1,000 pages has about as many. */
const MAX_CLAIMS = 10_000;
/** Each bracket may be a citation and each line a block, which take milliseconds to read. */
const MAX_BRACKETS = 50_000;
const MAX_LINES = 50_000;
const MAX_ANSWER_CHARS = 8_000_000;

class TooMuchError extends Error {}

/** Verifies an untrusted report. `refused` is the reason, to follow the text's name in a sentence. */
export function verifyBounded(
  markdown: string,
  sources: readonly GivenSource[],
): { verified: VerifiedReport } | { refused: string } {
  try {
    refuseAbove(MAX_BRACKETS, countOf('[', markdown, MAX_BRACKETS), 'brackets');
    refuseAbove(MAX_LINES, countOf('\n', markdown, MAX_LINES), 'lines');
    const verified = verifyReport(markdown, sources, {
      onRead({ statements, entries, hasMore }) {
        const claims = statements.filter(({ citations }) => citations.length > 0).length;
        refuseAbove(MAX_CLAIMS, claims, 'statements that cite');
        refuseAbove(MAX_CLAIMS, entries.length, 'sources');
        refuseAbove(MAX_CITATIONS, hasMore === true ? Infinity : 0, 'citations');
      },
    });
    refuseAbove(MAX_ANSWER_CHARS, JSON.stringify(verified).length, 'characters in its verdicts');
    return { verified };
  } catch (error) {
    if (error instanceof TooMuchError) return { refused: error.message };
    throw error;
  }
}

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
