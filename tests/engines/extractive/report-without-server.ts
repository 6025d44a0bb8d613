import { join } from 'node:path';
import { verifyQuotedClaims } from '../../../src/activities/write-section';
import type { SectionDraft } from '../../../src/contracts/draft';
import type { Finding } from '../../../src/contracts/finding';
import type { Report } from '../../../src/contracts/report';
import { SynthesisSettings } from '../../../src/contracts/run-settings';
import type { CataloguedSource, SourceRecord } from '../../../src/contracts/source';
import { writeSummaryExtractively } from '../../../src/engines/extractive/extractive-steps';
import { writeSectionExtractively } from '../../../src/engines/extractive/quoted-sections';
import { rateSource } from '../../../src/evidence/source-records';
import { assembleReport } from '../../../src/report/assemble-report';
import type { ReportParts } from '../../../src/report/chapters';
import { readSources } from '../../../src/sources/read-sources';
import { passesOver } from '../../support/passes-without-server';
import { reportParts } from '../../support/report-parts';

const EXAMPLES = join(__dirname, '../../../examples');
const QUESTION = 'Does vitamin D supplementation improve health outcomes, and by how much?';

export type Note = SourceRecord & { id: string };

export async function exampleNotes(folder = 'vitamin-d'): Promise<Note[]> {
  const found: Note[] = [];
  for await (const reading of readSources([join(EXAMPLES, folder)])) {
    if (reading.ok) found.push(reading.record);
  }
  return found;
}

export interface ReportOptions {
  question?: string;
  synthesis?: Partial<SynthesisSettings>;
  /** Words of a section at most. */
  sectionWords?: number;
  /** The first sections of the outline alone. */
  sections?: number;
}

export async function reportOver(sources: readonly Note[], options: ReportOptions = {}): Promise<Report> {
  return assembleReport(await partsOver(sources, options)).report;
}

/** The steps of a report in their order, without a server. */
export async function partsOver(sources: readonly Note[], options: ReportOptions = {}): Promise<ReportParts> {
  const { question = QUESTION, sectionWords = 1_000 } = options;
  const synthesis = SynthesisSettings.parse(options.synthesis ?? {});
  const { outline, checked, validated } = await passesOver(
    question,
    sources.map((source) => ({
      sourceId: source.id,
      title: source.title ?? source.id,
      quality: rateSource(source),
      content: source.content,
    })),
    options.sections,
  );
  const { sections, conflicts, gaps } = validated;
  const catalogue = sources.map((source) => catalogued(source));
  const citable = catalogue.map(({ id: sourceId, ...source }) => ({ sourceId, ...source }));
  const findingsOf = (id: string): Finding[] =>
    sections.find(({ sectionId }) => sectionId === id)?.findings ?? [];
  const audited = (draft: SectionDraft, findings: Finding[]): SectionDraft => ({
    ...draft,
    claims: verifyQuotedClaims(draft.claims, { findings, conflicts, sources: citable }),
  });
  const drafts = outline.sections.map(({ relevantSources: _relevance, ...section }) => ({
    sectionId: section.id,
    draft: audited(
      writeSectionExtractively({
        question,
        section,
        conflicts,
        sources: citable,
        findings: findingsOf(section.id),
        targetWords: sectionWords,
      }),
      findingsOf(section.id),
    ),
  }));
  const used = new Set(drafts.flatMap(({ draft }) => draft.claims.flatMap(({ findingIds }) => findingIds)));
  return reportParts({
    id: 'whole',
    question,
    synthesis,
    sourcesGiven: sources.length,
    catalogue: { sources: catalogue, counts: { sentences: 0, holders: {} }, merged: [] },
    outline: { ...outline, sections: outline.sections.map((section) => ({ ...section, sourceScores: [] })) },
    findings: sections,
    conflicts,
    gaps,
    drafts,
    frame: await writeSummaryExtractively({
      question,
      overallTheme: outline.overallTheme,
      sections: checked.map(({ section }) => ({
        section,
        findings: findingsOf(section.id)
          .filter(({ id }) => used.has(id))
          .sort(strongestFirst),
      })),
      conflicts,
      gaps,
      sources: citable,
      confidenceThreshold: synthesis.confidenceThreshold,
    }),
    readInFull: sources.map(({ id }) => id),
  });
}

function catalogued(source: Note): CataloguedSource {
  const { id, title = id, url, author, site, publishedAt, content } = source;
  return {
    id,
    title,
    author,
    site,
    publishedAt,
    url: url ?? null,
    accessedAt: '2026-01-02',
    contentRef: '0'.repeat(64),
    contentChars: content.length,
    summaryRef: '1'.repeat(64),
    held: [],
    quality: rateSource(source),
  };
}

function strongestFirst(a: Finding, b: Finding): number {
  return b.confidence - a.confidence || b.citations.length - a.citations.length || (a.id < b.id ? -1 : 1);
}
