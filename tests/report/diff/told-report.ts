import { createHash } from 'node:crypto';
import type { SectionDraft } from '../../../src/contracts/draft';
import type { Conflict, Evidence, Finding } from '../../../src/contracts/finding';
import type { Report, ReportDiff } from '../../../src/contracts/report';
import type { RunStatus } from '../../../src/contracts/run';
import { SynthesisSettings } from '../../../src/contracts/run-settings';
import type { CataloguedSource } from '../../../src/contracts/source';
import { writeSectionExtractively } from '../../../src/engines/extractive/quoted-sections';
import { citationMark } from '../../../src/lib/citation-marks';
import { assembleReport } from '../../../src/report/assemble-report';
import { diffReports } from '../../../src/report/diff/diff-reports';
import { quotedFrom } from '../../support/findings';
import { reportParts } from '../../support/report-parts';

export interface ToldSource {
  content: string;
  title?: string;
  /** Null for a note without one. */
  url?: string | null;
  author?: string;
}

/** `quotes`: sentences of the sources, the first one worded by the claim. `sentence` is what a model makes of them. */
export interface ToldFinding {
  quotes: [source: string, quote: string][];
  section?: string;
  confidence?: number;
  sentence?: string;
}

export interface ToldConflict {
  topic: string;
  views: [source: string, quote: string][][];
  resolution?: string;
}

export interface Told {
  id?: string;
  question?: string;
  status?: RunStatus;
  engine?: 'extractive' | 'openai';
  sources: Record<string, ToldSource>;
  findings: ToldFinding[];
  conflicts?: ToldConflict[];
  gaps?: string[];
  citationStyle?: SynthesisSettings['citationStyle'];
  /** Whether pass 3 did not check any finding. */
  unchecked?: boolean;
}

/** The comparison of what two runs left that found this, with all that they have read. */
export function diffTold(before: Told, after: Told): ReportDiff {
  const read = ({ sources }: Told): CataloguedSource[] =>
    Object.entries(sources).map(([id, source]) => catalogued(id, source));
  return diffReports(toldReport(before), toldReport(after), { before: read(before), after: read(after) });
}

/** The report that a run leaves whose passes found this, written as the engines write it. */
export function toldReport(told: Told): Report {
  const { engine = 'extractive', question = 'Does walking help?' } = told;
  const sources = Object.entries(told.sources).map(([id, source]) => catalogued(id, source));
  const evidence = ([sourceId, quote]: [string, string]): Evidence =>
    quotedFrom(told.sources[sourceId]?.content ?? '', sourceId, quote);
  const titles = [...new Set(told.findings.map(sectionOf))];
  const findings = told.findings.map((finding, index): Finding & { sentence?: string } => {
    const quotes = finding.quotes.map(evidence);
    return {
      id: `finding-${index}`,
      sectionId: `section-${titles.indexOf(sectionOf(finding)) + 1}`,
      claim: quotes[0]?.quote ?? '',
      citations: [...new Set(quotes.map(({ sourceId }) => sourceId))],
      evidence: quotes,
      confidence: finding.confidence ?? 0.75,
      ...(finding.sentence === undefined ? {} : { sentence: finding.sentence }),
    };
  });
  const conflicts = (told.conflicts ?? []).map(({ topic, views, resolution }, index): Conflict => ({
    id: `conflict-${index}`,
    topic,
    kind: 'direction',
    viewpoints: views.map((view) => ({
      statement: view[0]?.[1] ?? '',
      citations: view.map(([source]) => source),
      evidence: view.map(evidence),
    })),
    resolution: resolution ?? 'present_both',
    reason: `On ${topic}, they differ.`,
    findingIds: [],
  }));
  const sections = titles.map((title, index) => ({ id: `section-${index + 1}`, title }));
  const own = (id: string): typeof findings => findings.filter(({ sectionId }) => sectionId === id);
  const parts = reportParts({
    id: told.id ?? 'run',
    question,
    status: told.status ?? 'completed',
    synthesis: SynthesisSettings.parse({ citationStyle: told.citationStyle }),
    sourcesGiven: sources.length,
    catalogue: { sources, counts: { sentences: 0, holders: {} }, merged: [] },
    outline: {
      overallTheme: 'What sources say.',
      sections: sections.map((section) => ({
        ...section,
        description: section.title,
        subsections: [],
        relevantSources: [],
        sourceScores: [],
      })),
    },
    findings: sections.map(({ id }) => ({ sectionId: id, findings: own(id) })),
    conflicts,
    gaps: (told.gaps ?? []).map((gap) => ({ question: gap, reason: 'No source says.' })),
    drafts: sections.map(({ id, title }) => ({
      sectionId: id,
      draft: own(id).some(({ sentence }) => sentence !== undefined)
        ? asModelsWrite(own(id), told.unchecked === true ? ', not cross-checked' : '')
        : writeSectionExtractively({
            question,
            section: { id, title, description: title, subsections: [] },
            findings: own(id),
            conflicts,
            sources: sources.map(({ id: sourceId, ...rest }) => ({ sourceId, ...rest })),
            targetWords: 5_000,
          }),
    })),
    frame: { title: question, bullets: [], followUpQuestions: [] },
  });
  return assembleReport({ ...parts, provenance: { ...parts.provenance, engine } }).report;
}

function sectionOf({ section }: ToldFinding): string {
  return section ?? 'Walking';
}

/** Sentences of their own, each with its marks. */
function asModelsWrite(findings: readonly (Finding & { sentence?: string })[], remark: string): SectionDraft {
  const claims = findings.map(({ id, citations, claim, sentence }) => ({
    text: `${sentence ?? claim} ${citationMark(citations)} (Medium confidence${remark}).`,
    findingIds: [id],
  }));
  return { markdown: claims.map(({ text }) => text).join(' '), claims };
}

function catalogued(id: string, source: ToldSource): CataloguedSource {
  return {
    id,
    url: source.url === undefined ? `https://example.org/${id}` : source.url,
    title: source.title ?? `On ${id}`,
    author: source.author ?? `${id.charAt(0).toUpperCase()}${id.slice(1)} Jo; Roe Max; Poe Eva`,
    publishedAt: '2011',
    accessedAt: '2026-01-02T00:00:00.000Z',
    contentRef: createHash('sha256').update(source.content).digest('hex'),
    contentChars: source.content.length,
    summaryRef: 'b'.repeat(64),
    held: [],
    quality: { level: 'general', reason: 'a page' },
  };
}
