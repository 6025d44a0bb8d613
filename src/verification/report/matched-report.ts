import type { CitedReport, CitedStatement } from '../../cited-text/cited-report';
import { matchSources, type SourceMatch } from '../../cited-text/matching/match-sources';
import { readCitedReport } from '../../cited-text/read-cited-report';
import type { GivenSource } from './given-source';
import { CHECK_LINE, reportTexts } from '../../texts/report';
import { withoutOwnRemarks } from '../../core/report/own-remarks';

export interface MatchedReport {
  report: CitedReport;
  matches: SourceMatch[];
}

export function matchedReport(
  markdown: string,
  sources: readonly GivenSource[],
  onRead?: (report: CitedReport) => void,
): MatchedReport {
  const report = withoutApparatus(readCitedReport(markdown));
  onRead?.(report);
  const described = sources.map(({ id, url = null, title }) => ({ id, url, title }));
  return { report, matches: matchSources(report.entries, described) };
}

export function citedSources(markdown: string, sources: readonly GivenSource[]): string[] {
  const { matches } = matchedReport(markdown, sources);
  return [...new Set(matches.flatMap(({ source }) => source ?? []))];
}

/** Over the list of what was set aside, in reports and briefs of 0.6 and before, and how an item of it begins. */
const SET_ASIDE = 'Claims Set Aside';
const ASIDE_ITEM = /^A\d+, [a-z]+: /;

/**
 * The report without what a report of this program says of itself: what it set aside, what it does not know, how it was checked, and
 * remarks that stand for themselves. The report of anybody else stays as it is.
 */
function withoutApparatus(report: CitedReport): CitedReport {
  const { statements } = report;
  const { headings: known } = reportTexts;
  const isOwn = statements.some(({ plain }) => plain.startsWith(CHECK_LINE.trim()));
  // Claims where they cite, and the report's own words where they do not.
  const partlyOwn = isOwn ? [known.conflicts, known.limits, known.gaps] : [];
  const aside = statements.find(({ heading }) => heading === SET_ASIDE);
  const hasAsides = aside !== undefined && ASIDE_ITEM.test(aside.plain);
  const isApparatus = ({ heading, citations, plain }: CitedStatement): boolean => {
    if (hasAsides && heading === SET_ASIDE) return true;
    if (isOwn && (heading === known.followUps || heading === known.sources)) return true;
    return citations.length === 0 && (partlyOwn.includes(heading ?? '') || isRemark(plain));
  };
  return { ...report, statements: statements.filter((statement) => !isApparatus(statement)) };
}

/** A remark that was parted from the sentence that it is on. */
function isRemark(plain: string): boolean {
  const said = withoutOwnRemarks(plain);
  return said !== plain && !/[\p{L}\p{N}]/u.test(said);
}
