import type {
  VerifiedClaim,
  VerifiedEntry,
  VerifiedReport,
} from '../../contracts/verification/verified-report';
import type { Citation, CitedReport, CitedStatement } from '../../cited-text/cited-report';
import type { SourceMatch } from '../../cited-text/matching/match-sources';
import { matchedReport } from './matched-report';
import type { GivenSource } from './given-source';
import { holdSources, type HeldSources } from './held-sources';
import { reportProblems } from './report-problems';
import { verifyStatement } from './verify-statement';
import { auditOf, titlesNamed } from './with-verdicts';

export type { GivenSource } from './given-source';

export const CITES_NOTHING =
  'nothing in it cites anything in a form that can be read. Known are [1], [^1], [https://…] and links.';

export interface VerifyReportOptions {
  /** Told before the first claim and after each. */
  onProgress?: (progress: { done: number; claims: number }) => void;
  /** Given the report before anything is verified; what it throws ends that. */
  onRead?: (report: CitedReport) => void;
}

/**
 * Holds each claim of a report, whoever wrote it, against what it cites of the given sources; nothing but words is compared,
 * and nobody is asked. The ids of the sources must differ. A claim that cites several sources is held against all of them
 * together. Never throws for what a report says.
 */
export function verifyReport(
  markdown: string,
  sources: readonly GivenSource[],
  options: VerifyReportOptions = {},
): VerifiedReport {
  return verifyHeld(markdown, sources, holdSources(sources, [markdown]), options);
}

export function verifyHeld(
  markdown: string,
  sources: readonly GivenSource[],
  held: HeldSources,
  { onProgress = () => undefined, onRead }: VerifyReportOptions = {},
): VerifiedReport {
  const { report, matches } = matchedReport(markdown, sources, onRead);
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
    sources: { given: sources.length, cited: citedSources.size, titles: titlesNamed(claims, sources) },
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

/** How often each entry is cited, by its place. */
function timesCitedOf({ citations }: CitedReport): ReadonlyMap<number, number> {
  const times = new Map<number, number>();
  for (const { entry } of citations) if (entry !== null) times.set(entry, (times.get(entry) ?? 0) + 1);
  return times;
}
