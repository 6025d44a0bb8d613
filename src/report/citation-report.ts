import type { CitationReport, ReportCitation, ReportClaim } from '../contracts/report';
import type { SynthesisSettings } from '../contracts/run-settings';
import { count } from '../contracts/wording';
import { reportTexts } from './report-texts';

export interface CitedSection {
  id: string;
  title: string;
  citations: number[];
  sourceIds: string[];
}

export interface CitationReportInput {
  citations: readonly ReportCitation[];
  sections: readonly CitedSection[];
  majorClaims: readonly ReportClaim[];
  /** Number of sources. This and `relevantSources` count the parts of one work once. */
  sourcesGiven: number;
  relevantSources: number;
  /** Id under which a source counts; equal for all parts of one work. Absent if each counts for itself. */
  rootOf?: (sourceId: string) => string;
}

const MAX_MOST_CITED = 10;
const SECTIONS_TO_CITE_FROM = 3;

/** Document 002's citation validator, in its words. The minimum stays with too few sources, and does not cause a rewrite. */
export function citationReport(
  {
    citations,
    sections,
    majorClaims,
    sourcesGiven,
    relevantSources,
    rootOf = (id) => id,
  }: CitationReportInput,
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
    wanted: minSectionCitations(counted(section.sourceIds), synthesis),
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
      .slice(0, MAX_MOST_CITED)
      .map(({ n, sourceId, title, timesCited }) => ({ n, sourceId, title, timesCited })),
    meetsMinimum: unique >= wanted,
    weakMajorClaims: majorClaims
      .map((claim) => ({ claimId: claim.id, citations: countedNumbers(claim.citations) }))
      .filter((claim) => claim.citations < minClaimCitations(relevantSources, synthesis)),
    recommendations: [
      // Without a relevant source there is nothing to add.
      ...(unique < wanted && relevantSources > 0
        ? [
            `Add ${count(wanted - unique, 'more citation')} to meet minimum of ${wanted}`,
            ...uncitedSections(sections, citations),
          ]
        : []),
      ...low.map(
        ({ title, cited, wanted: least }) =>
          `Section "${title}" has only ${count(cited, 'citation')}, needs ${least - cited} more`,
      ),
    ],
  };
}

/** Notice of a report with fewer sources than the minimum; null if none is relevant, which the report states anyway. */
export function citationNotice(
  {
    citations,
    sourcesGiven,
    relevantSources,
    rootOf = (id) => id,
  }: Pick<CitationReportInput, 'citations' | 'sourcesGiven' | 'relevantSources' | 'rootOf'>,
  { minTotalCitations: wanted }: SynthesisSettings,
): string | null {
  const cited = new Set(citations.map(({ sourceId }) => rootOf(sourceId))).size;
  if (cited >= wanted || relevantSources === 0) return null;
  const most = Math.max(relevantSources, cited);
  return reportTexts.citesFew({ cited, most, wanted, countsRelevantOnly: most < sourcesGiven });
}

/** Document 002: "minimum 3 citations per major claim". */
function minClaimCitations(relevantSources: number, { minCitationsPerSection }: SynthesisSettings): number {
  return Math.min(minCitationsPerSection, relevantSources);
}

/** At least 1: a section always has to cite. */
function minSectionCitations(sources: number, { minCitationsPerSection }: SynthesisSettings): number {
  return Math.max(1, Math.min(minCitationsPerSection, sources));
}

function uncitedSections(sections: readonly CitedSection[], citations: readonly ReportCitation[]): string[] {
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
    .map(({ title, all, open }) => `Cite from the section "${title}": ${uncitedText(open, all)}.`);
}

function uncitedText(open: number, all: number): string {
  if (all === 1) return 'its one source is not cited yet';
  if (open === all) return `none of its ${all} sources is cited yet`;
  return `${open} of its ${all} sources ${open === 1 ? 'is' : 'are'} not cited yet`;
}
