import type { CitationReport, ReportCitation } from '../contracts/report';
import type { SynthesisSettings } from '../contracts/run';

interface CitedSection {
  id: string;
  title: string;
  citations: number[];
  /** How many sources the outline gave the section. */
  sources: number;
}

/** The share of the sources at which the wanted number of citations counts as reached where there are few sources. */
const ENOUGH_OF_FEW_SOURCES = 0.4;
const MOST_CITED = 10;

/**
 * Document 002's citation validator. Targets scale with the material: the minimum holds where there are sources for it,
 * so that a report over 15 notes is not told to find 50.
 */
export function citationReport(
  citations: readonly ReportCitation[],
  sections: readonly CitedSection[],
  sourcesGiven: number,
  synthesis: SynthesisSettings,
): CitationReport {
  const unique = citations.length;
  const wanted = Math.min(synthesis.minTotalCitations, Math.ceil(sourcesGiven * ENOUGH_OF_FEW_SOURCES));
  const low = sections.filter(
    (section) => section.citations.length < Math.min(synthesis.minCitationsPerSection, section.sources),
  );
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
    weakMajorClaims: [],
    recommendations: [
      ...(unique < wanted ? [`Cite ${wanted - unique} more sources to reach the minimum of ${wanted}.`] : []),
      ...low.map(
        (section) =>
          `Section "${section.title}" cites ${section.citations.length} of at least ${Math.min(synthesis.minCitationsPerSection, section.sources)} sources.`,
      ),
    ],
  };
}
