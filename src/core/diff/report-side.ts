import type { Report, ReportCitation } from '../contracts/report';
import type { DiffSource } from '../contracts/report-diff';
import { comparedClaims, type ComparedClaim } from './compared-claims';
import type { SourceKeys } from './pair-sources';

/** One of the two reports, with its parts at hand. */
export interface ReportSide {
  report: Report;
  claims: readonly ComparedClaim[];
  /** The keys of sources by their citation numbers. */
  keys: SourceKeys;
  sources: ReadonlyMap<string, DiffSource>;
  sectionTitles: ReadonlyMap<string, string>;
}

export function reportSide(report: Report, keys: SourceKeys): ReportSide {
  return {
    report,
    claims: comparedClaims(report, keys),
    keys,
    sources: new Map(report.citations.map((citation) => [keys.get(citation.n) ?? '', diffSource(citation)])),
    sectionTitles: new Map(report.sections.map(({ id, title }) => [id, title])),
  };
}

export function keysOf(side: Pick<ReportSide, 'keys'>, citations: readonly number[]): Set<string> {
  return new Set(citations.flatMap((n) => side.keys.get(n) ?? []));
}

export function sourcesOf(side: Pick<ReportSide, 'sources'>, keys: Iterable<string>): DiffSource[] {
  return [...keys].flatMap((key) => side.sources.get(key) ?? []);
}

/** The sources that only one of two sets has. */
export function sourceChanges(
  before: { side: ReportSide; keys: ReadonlySet<string> },
  after: { side: ReportSide; keys: ReadonlySet<string> },
): { kind: 'sources'; added: DiffSource[]; removed: DiffSource[] }[] {
  const added = sourcesOf(
    after.side,
    [...after.keys].filter((key) => !before.keys.has(key)),
  );
  const removed = sourcesOf(
    before.side,
    [...before.keys].filter((key) => !after.keys.has(key)),
  );
  return added.length + removed.length === 0 ? [] : [{ kind: 'sources', added, removed }];
}

function diffSource({ title, author, site, publishedAt, url }: ReportCitation): DiffSource {
  return {
    title,
    ...(author === undefined ? {} : { author }),
    ...(site === undefined ? {} : { site }),
    ...(publishedAt === undefined ? {} : { publishedAt }),
    url,
  };
}
