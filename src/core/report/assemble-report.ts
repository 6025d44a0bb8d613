import { citedIds } from '../citation-marks';
import type { SectionDraft } from '../contracts/draft';
import type { Finding } from '../contracts/finding';
import type { Report, ReportCitation, ReportClaim, Verdict } from '../contracts/report';
import type { CataloguedSource } from '../contracts/source';
import { inert } from '../writing/quotation';
import { type CitationNumbers, numberCitations, numbersOf, renderCitations } from './citation-numbers';
import { citationReport } from './citation-report';
import { conflictParagraph } from './conflict-paragraph';
import { findingsAsList } from './findings-list';
import { renderClaims } from './render-claims';
import { type AssessedFinding, findingsToAssess, reportMarkdown } from './report-markdown';
import type { ReportParts } from './report-parts';

/**
 * Puts the report together from what the passes left. Pure: the same parts give the same bytes. Citations are numbered
 * in the order in which the sections first use them.
 */
export function assembleReport(parts: ReportParts): { report: Report; markdown: string } {
  const sources = new Map((parts.catalogue?.sources ?? []).map((source) => [source.id, source]));
  const findings = new Map(
    parts.findings.flatMap((section) => section.findings).map((finding) => [finding.id, finding]),
  );
  const drafts = sectionDrafts(parts, sources);
  const bullets = parts.frame?.bullets ?? [];
  const conflicts = parts.conflicts.map((conflict) => conflictParagraph(conflict, sources));
  const texts = [...drafts.map(({ draft }) => draft.markdown), ...bullets, ...conflicts];
  const numbers = numberCitations(texts, sources);

  const claims: ReportClaim[] = [];
  const sections = drafts.map(({ id, title, draft }) => {
    const rendered = renderClaims(draft, findings, parts.conflicts, numbers);
    for (const claim of rendered.claims)
      claims.push({ id: `claim-${claims.length + 1}`, sectionId: id, ...claim });
    return {
      id,
      title,
      markdown: rendered.markdown,
      citations: numbersOf(citedIds(draft.markdown), numbers),
    };
  });
  const citations = reportCitations(texts, numbers, sources, new Set(parts.readInFull));
  const body: Omit<Report, 'markdown'> = {
    id: parts.id,
    kind: 'report',
    question: parts.question,
    status: parts.status,
    title: parts.frame?.title ?? parts.question,
    overallTheme: parts.outline?.overallTheme ?? 'The run ended before the sources were surveyed.',
    sections,
    citations,
    claims,
    conflicts: parts.conflicts.map(({ topic, viewpoints, resolution, reason }) => ({
      topic,
      viewpoints: viewpoints.map((viewpoint) => ({
        statement: viewpoint.statement,
        citations: numbersOf(viewpoint.citations, numbers),
      })),
      resolution,
      reason,
    })),
    gaps: parts.gaps.map((gap) => gap.question),
    followUpQuestions: parts.frame?.followUpQuestions ?? [],
    citationReport: citationReport(
      citations,
      sections.map((section, index) => ({ ...section, sources: drafts[index]?.sources ?? 0 })),
      parts.sourcesGiven,
      parts.synthesis,
    ),
    audit: countVerdicts(claims),
    judge: null,
    sources: sourceCounts(parts),
    warnings: parts.warnings,
    usage: parts.usage,
    timings: parts.timings,
    provenance: parts.provenance,
  };
  const markdown = reportMarkdown(body, {
    notice: parts.endedEarly,
    bullets: bullets.map((bullet) => renderCitations(bullet, numbers)),
    conflictParagraphs: conflicts.map((paragraph) => renderCitations(paragraph, numbers)),
    gapLines: parts.gaps.map((gap) => `**${inert(gap.question)}** ${inert(gap.reason)}`),
    assessed: findingsToAssess(writtenFindings(drafts, findings, citations, numbers)),
  });
  return { report: { ...body, markdown }, markdown };
}

interface SectionText {
  id: string;
  title: string;
  draft: SectionDraft;
  /** How many sources the outline gave the section. */
  sources: number;
}

/**
 * The outline's sections with their text. A section that was not written becomes the list of its findings; one that was
 * written from nothing is left out, and stands among the gaps.
 */
function sectionDrafts(parts: ReportParts, sources: ReadonlyMap<string, CataloguedSource>): SectionText[] {
  return (parts.outline?.sections ?? []).flatMap(({ id, title, relevantSources }) => {
    const written = parts.drafts.find((draft) => draft.sectionId === id)?.draft;
    if (written?.claims.length === 0) return [];
    const found = parts.findings.find((entry) => entry.sectionId === id)?.findings ?? [];
    return { id, title, draft: written ?? findingsAsList(found, sources), sources: relevantSources.length };
  });
}

function reportCitations(
  texts: readonly string[],
  numbers: CitationNumbers,
  sources: ReadonlyMap<string, CataloguedSource>,
  readInFull: ReadonlySet<string>,
): ReportCitation[] {
  const uses = new Map<string, number>();
  for (const id of texts.flatMap((text) => citedIds(text))) uses.set(id, (uses.get(id) ?? 0) + 1);
  return [...numbers].flatMap(([sourceId, n]): ReportCitation[] => {
    const source = sources.get(sourceId);
    if (source === undefined) return [];
    const { url, title, author, site, publishedAt, accessedAt, quality } = source;
    return [
      {
        n,
        sourceId,
        url,
        title,
        author,
        site,
        publishedAt,
        accessedAt,
        quality,
        timesCited: uses.get(sourceId) ?? 1,
        readInFull: readInFull.has(sourceId),
      },
    ];
  });
}

/** The findings that the sections' claims rest on, each with the citations of its sources. */
function writtenFindings(
  drafts: readonly SectionText[],
  findings: ReadonlyMap<string, Finding>,
  citations: readonly ReportCitation[],
  numbers: CitationNumbers,
): AssessedFinding[] {
  const ids = new Set(drafts.flatMap(({ draft }) => draft.claims.flatMap((claim) => claim.findingIds)));
  return [...ids].flatMap((id) => {
    const finding = findings.get(id);
    if (finding === undefined) return [];
    const cited = numbersOf(finding.citations, numbers);
    return [{ finding, citations: citations.filter((citation) => cited.includes(citation.n)) }];
  });
}

function countVerdicts(claims: readonly ReportClaim[]): Report['audit'] {
  const count = (verdict: Verdict): number => claims.filter((claim) => claim.verdict === verdict).length;
  return {
    claims: claims.length,
    supported: count('supported'),
    partial: count('partial'),
    contradicted: count('contradicted'),
    unsupported: count('unsupported'),
    unchecked: count('unchecked'),
  };
}

/** Every source given is in exactly one of: read in full, known by its summary to some section, unused, duplicate. */
function sourceCounts(parts: ReportParts): Report['sources'] {
  const inFull = new Set(parts.readInFull);
  const relevant = new Set(
    (parts.outline?.sections ?? []).flatMap((section) =>
      section.relevantSources.map((source) => source.sourceId),
    ),
  );
  const kept = parts.catalogue?.sources.map((source) => source.id) ?? [];
  const bySummary = kept.filter((id) => !inFull.has(id) && relevant.has(id)).length;
  const duplicates = parts.catalogue?.merged.length ?? 0;
  return {
    total: parts.sourcesGiven,
    inFull: inFull.size,
    bySummary,
    unused: parts.sourcesGiven - inFull.size - bySummary - duplicates,
    duplicates,
    retrievals: parts.retrievals,
  };
}
