import { doiAddress } from '../../core/sources/work-ids';
import type { BibliographyEntry, CitedReport } from '../../cited-text/cited-report';
import { doiOf, matchSources, type SourceMatch } from '../../cited-text/matching/match-sources';
import { readCitedReport } from '../../cited-text/read-cited-report';
import type { GivenSource } from './given-source';
import { withoutApparatus } from './without-apparatus';
import { withoutAttributions } from './without-attributions';

/** A report as it is verified, and which of the given sources each of its entries is. */
export interface MatchedReport {
  report: CitedReport;
  matches: SourceMatch[];
}

export function matchedReport(markdown: string, sources: readonly GivenSource[]): MatchedReport {
  const report = withoutApparatus(withoutAttributions(readCitedReport(markdown)));
  const described = sources.map(({ id, url = null, title, author = null, publishedAt = null }) => ({
    id,
    url,
    title,
    author,
    publishedAt,
  }));
  return { report, matches: matchSources(report.entries, described) };
}

/** Where the sources lie that statements of a report cite and that are not among the given ones, each once. */
export function citedAddresses(markdown: string, sources: readonly GivenSource[]): string[] {
  const { report, matches } = matchedReport(markdown, sources);
  const cited = new Set(
    report.statements.flatMap(({ citations }) => citations.map((at) => report.citations[at]?.entry)),
  );
  const addresses = report.entries.flatMap((entry, at) =>
    cited.has(at) && matches[at]?.how === null ? (addressOf(entry) ?? []) : [],
  );
  return [...new Set(addresses)];
}

/** The address of an entry, else that of its DOI; null where it has neither. */
export function addressOf({ url, text }: Pick<BibliographyEntry, 'url' | 'text'>): string | null {
  const address = /^www\./i.test(url ?? '') ? `https://${url}` : url;
  if (address !== null && /^https?:\/\//i.test(address)) return address;
  const doi = doiOf(text);
  return doi === null ? null : doiAddress(doi);
}
