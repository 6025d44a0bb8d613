import type { Report } from '../contracts/report/report';
import { DiffSource } from '../contracts/report/report-diff';
import { comparedClaims, type ComparedClaim } from './compared-claims';
import type { SourceKeys } from './pair-sources';

export interface ReportSide {
  report: Report;
  claims: readonly ComparedClaim[];
  keys: SourceKeys;
  sources: ReadonlyMap<string, DiffSource>;
  sectionTitles: ReadonlyMap<string, string>;
}

export function reportSide(report: Report, keys: SourceKeys): ReportSide {
  return {
    report,
    claims: comparedClaims(report, keys),
    keys,
    sources: new Map(report.citations.map(({ n, ...cited }) => [keys.get(n) ?? '', DiffSource.parse(cited)])),
    sectionTitles: new Map(report.sections.map(({ id, title }) => [id, title])),
  };
}

export function keysOf(side: Pick<ReportSide, 'keys'>, citations: readonly number[]): Set<string> {
  return new Set(citations.flatMap((n) => side.keys.get(n) ?? []));
}

export function sourcesOf(side: Pick<ReportSide, 'sources'>, keys: Iterable<string>): DiffSource[] {
  return [...keys].flatMap((key) => side.sources.get(key) ?? []);
}

export function sourceChanges(
  before: { side: ReportSide; keys: ReadonlySet<string> },
  after: { side: ReportSide; keys: ReadonlySet<string> },
): { kind: 'sources'; added: DiffSource[]; removed: DiffSource[] }[] {
  const added = sourcesOf(after.side, without(after.keys, before.keys));
  const removed = sourcesOf(before.side, without(before.keys, after.keys));
  return added.length + removed.length === 0 ? [] : [{ kind: 'sources', added, removed }];
}

export function without(keys: Iterable<string>, others: ReadonlySet<string>): string[] {
  return [...keys].filter((key) => !others.has(key));
}

export function sectionOf({ side, claim: { claim } }: { side: ReportSide; claim: ComparedClaim }): string {
  return side.sectionTitles.get(claim.sectionId) ?? claim.sectionId;
}
