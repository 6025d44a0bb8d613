import { reportTexts } from '../../texts/report';
import type { CitationReport, ReportCitation, ReportClaim } from '../../contracts/report/report';
import type { SynthesisSettings } from '../../contracts/report/synthesis-settings';
import { count } from '../writing/count';

/** A section of the outline; one that was written from nothing cites nothing. */
export interface CitedSection {
  id: string;
  title: string;
  citations: number[];
  sourceIds: string[];
}

export interface CitedMaterial {
  citations: readonly ReportCitation[];
  sections: readonly CitedSection[];
  majorClaims: readonly ReportClaim[];
  /** Both with the parts of one work counted once. */
  sourcesGiven: number;
  sourcesBearing: number;
  /** What a source counts under; the same for all parts of one work. Absent where each counts for itself. */
  rootOf?: (sourceId: string) => string;
}

const MOST_CITED = 10;
const SECTIONS_TO_CITE_FROM = 3;

/**
 * Document 002's citation validator, with its words. The minimum is what was asked for, whatever there is to cite: where there
 * are too few sources for it, `citationNotice` says so. It is a finding about a report, for which nothing is written anew.
 */
export function citationReport(
  { citations, sections, majorClaims, sourcesGiven, sourcesBearing, rootOf = (id) => id }: CitedMaterial,
  synthesis: SynthesisSettings,
): CitationReport {
  const counted = (ids: readonly string[]): number => new Set(ids.map(rootOf)).size;
  const idOf = new Map(citations.map(({ n, sourceId }) => [n, sourceId]));
  const countedNumbers = (numbers: readonly number[]): number =>
    counted(numbers.map((n) => idOf.get(n) ?? `${n}`));
  const unique = counted(citations.map(({ sourceId }) => sourceId));
  const { minTotalCitations: wanted } = synthesis;
  const bySection = sections.map((section) => ({
    ...section,
    cited: countedNumbers(section.citations),
    wanted: wantedOfSection(counted(section.sourceIds), synthesis),
  }));
  const low = bySection.filter((section) => section.cited < section.wanted);
  return {
    uniqueCitations: unique,
    usages: citations.reduce((sum, citation) => sum + citation.timesCited, 0),
    coverage: sourcesGiven === 0 ? 0 : unique / sourcesGiven,
    bySection: bySection.map(({ id, title, cited }) => ({ sectionId: id, title, uniqueCitations: cited })),
    lowCitationSections: low.map((section) => section.id),
    mostCited: [...citations]
      .sort((a, b) => b.timesCited - a.timesCited || a.n - b.n)
      .slice(0, MOST_CITED)
      .map(({ n, sourceId, title, timesCited }) => ({ n, sourceId, title, timesCited })),
    meetsMinimum: unique >= wanted,
    weakMajorClaims: majorClaims
      .map((claim) => ({ claimId: claim.id, citations: countedNumbers(claim.citations) }))
      .filter((claim) => claim.citations < wantedForClaim(sourcesBearing, synthesis)),
    recommendations: [
      // Where nothing bears on the question there is nothing to add.
      ...(unique < wanted && sourcesBearing > 0
        ? [
            `Add ${count(wanted - unique, 'more citation')} to meet minimum of ${wanted}`,
            ...uncited(sections, citations),
          ]
        : []),
      ...low.map(
        ({ title, cited, wanted: least }) =>
          `Section "${title}" has only ${count(cited, 'citation')}, needs ${least - cited} more`,
      ),
    ],
  };
}

/**
 * What a report that cites fewer sources than the minimum says of it; null where no source bears on its question, of which it
 * speaks anyway.
 */
export function citationNotice(
  {
    citations,
    sourcesGiven,
    sourcesBearing,
    rootOf = (id) => id,
  }: Pick<CitedMaterial, 'citations' | 'sourcesGiven' | 'sourcesBearing' | 'rootOf'>,
  { minTotalCitations: wanted }: SynthesisSettings,
): string | null {
  const cited = new Set(citations.map(({ sourceId }) => rootOf(sourceId))).size;
  if (cited >= wanted || sourcesBearing === 0) return null;
  const most = Math.max(sourcesBearing, cited);
  return reportTexts.citesFew({ cited, most, wanted, isOfBearing: most < sourcesGiven });
}

/** How many sources a claim on a major finding is to cite at least (document 002: "minimum 3 citations per major claim"). */
function wantedForClaim(sourcesBearing: number, { minCitationsPerSection }: SynthesisSettings): number {
  return Math.min(minCitationsPerSection, sourcesBearing);
}

/** A section that cites nothing cites too little, whatever it was given. */
function wantedOfSection(sources: number, { minCitationsPerSection }: SynthesisSettings): number {
  return Math.max(1, Math.min(minCitationsPerSection, sources));
}

/** Where there are sources that nothing cites yet, those sections first that have most. */
function uncited(sections: readonly CitedSection[], citations: readonly ReportCitation[]): string[] {
  const cited = new Set(citations.map(({ sourceId }) => sourceId));
  return sections
    .map(({ title, sourceIds }) => ({
      title,
      all: sourceIds.length,
      open: sourceIds.filter((id) => !cited.has(id)).length,
    }))
    .filter(({ open }) => open > 0)
    .sort((a, b) => b.open - a.open)
    .slice(0, SECTIONS_TO_CITE_FROM)
    .map(({ title, all, open }) => `Cite from the section "${title}": ${stillOpen(open, all)}.`);
}

function stillOpen(open: number, all: number): string {
  if (all === 1) return 'its one source is not cited yet';
  if (open === all) return `none of its ${all} sources is cited yet`;
  return `${open} of its ${all} sources ${open === 1 ? 'is' : 'are'} not cited yet`;
}
