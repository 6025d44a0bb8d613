import type { CitedReport } from '../../cited-text/cited-report';
import { matchSources, type SourceMatch } from '../../cited-text/matching/match-sources';
import { readCitedReport } from '../../cited-text/read-cited-report';
import type { GivenSource } from './given-source';
import { withoutApparatus } from './without-apparatus';

/** A report as it is verified, and which of the given sources each of its entries is. */
export interface MatchedReport {
  report: CitedReport;
  matches: SourceMatch[];
}

export function matchedReport(markdown: string, sources: readonly GivenSource[]): MatchedReport {
  const report = withoutApparatus(readCitedReport(markdown));
  const described = sources.map(({ id, url = null, title }) => ({ id, url, title }));
  return { report, matches: matchSources(report.entries, described) };
}
