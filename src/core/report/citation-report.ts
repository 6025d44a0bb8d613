import type { CitationReport, ReportCitation, ReportClaim } from '../../contracts/report/report';
import type { SynthesisSettings } from '../../contracts/report/synthesis-settings';
import { count } from '../writing/count';

/** A section of the outline; one that was written from nothing cites nothing. */
export interface CitedSection {
  id: string;
  title: string;
  citations: number[];
  /** The sources that the outline gave the section. */
  sourceIds: string[];
}

export interface CitedMaterial {
  citations: readonly ReportCitation[];
  sections: readonly CitedSection[];
  /** Claims on major findings. */
  majorClaims: readonly ReportClaim[];
  /** How many sources the run was given, and how many of them bear on its question. */
  sourcesGiven: number;
  sourcesBearing: number;
}

/** The share of the sources that bear on the question at which the wanted number of citations counts as reached where there are few sources. */
const ENOUGH_OF_FEW_SOURCES = 0.4;
const MOST_CITED = 10;
/** So many sections are named as places to cite from. */
const SECTIONS_TO_CITE_FROM = 3;

/**
 * Document 002's citation validator. Targets scale with what bears on the question: a minimum holds where there are sources
 * for it, so that neither a report over 15 notes nor one on a question with a single answer is told to find 50.
 */
export function citationReport(
  { citations, sections, majorClaims, sourcesGiven, sourcesBearing }: CitedMaterial,
  synthesis: SynthesisSettings,
): CitationReport {
  const unique = citations.length;
  const wanted = wantedCitations(sourcesBearing, synthesis);
  const low = sections
    .map((section) => ({ ...section, wanted: wantedOfSection(section, synthesis) }))
    .filter((section) => section.citations.length < section.wanted);
  return {
    uniqueCitations: unique,
    usages: citations.reduce((sum, citation) => sum + citation.timesCited, 0),
    coverage: sourcesGiven === 0 ? 0 : unique / sourcesGiven,
    bySection: sections.map(({ id, title, citations: cited }) => ({
      sectionId: id,
      title,
      uniqueCitations: cited.length,
    })),
    lowCitationSections: low.map((section) => section.id),
    mostCited: [...citations]
      .sort((a, b) => b.timesCited - a.timesCited || a.n - b.n)
      .slice(0, MOST_CITED)
      .map(({ n, sourceId, title, timesCited }) => ({ n, sourceId, title, timesCited })),
    meetsMinimum: unique >= wanted,
    weakMajorClaims: majorClaims
      .filter((claim) => claim.citations.length < wantedForClaim(sourcesBearing, synthesis))
      .map((claim) => ({ claimId: claim.id, citations: claim.citations.length })),
    recommendations: [
      ...(unique < wanted
        ? [
            `Cite ${count(wanted - unique, 'more source')} to reach the minimum of ${wanted}.`,
            ...uncited(sections, citations),
          ]
        : []),
      ...low.map(
        ({ title, citations: { length }, wanted: least }) =>
          `The section "${title}" cites ${length === 0 ? 'no source' : count(length, 'source')}: cite ${count(least - length, 'more source')} there.`,
      ),
    ],
  };
}

/** What a report that cites fewer sources than wanted says of it. */
export function citationWarning(
  { citations, sourcesBearing }: Pick<CitedMaterial, 'citations' | 'sourcesBearing'>,
  synthesis: SynthesisSettings,
): string {
  const cited = citations.length === 0 ? 'no source' : count(citations.length, 'source');
  const wanted = wantedCitations(sourcesBearing, synthesis);
  return `This report cites ${cited}; of the ${count(sourcesBearing, 'source')} that bear on its question at least ${wanted} ${wanted === 1 ? 'was' : 'were'} wanted.`;
}

/** How many of its sources a report is to cite at least. */
export function wantedCitations(sourcesBearing: number, { minTotalCitations }: SynthesisSettings): number {
  return Math.min(minTotalCitations, Math.ceil(sourcesBearing * ENOUGH_OF_FEW_SOURCES));
}

/** How many sources a claim on a major finding is to cite at least (document 002: "minimum 3 citations per major claim"). */
export function wantedForClaim(
  sourcesBearing: number,
  { minCitationsPerSection }: SynthesisSettings,
): number {
  return Math.min(minCitationsPerSection, sourcesBearing);
}

/** A section that cites nothing cites too little, whatever it was given. */
function wantedOfSection({ sourceIds }: CitedSection, { minCitationsPerSection }: SynthesisSettings): number {
  return Math.max(1, Math.min(minCitationsPerSection, sourceIds.length));
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
