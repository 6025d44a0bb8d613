import { z } from 'zod';
import type { SectionFindings } from '../contracts/finding';
import { Outline } from '../contracts/outline';
import { eventKey } from '../contracts/run-protocol';
import { type ArtifactRef, SourceId, type SourceWindow } from '../contracts/source';
import { extractFindings } from '../steps/extract-findings';
import { findingsFromSummaries } from '../text/passage-windows';
import { digestChars, planReadingCalls, smallestWindow, targetFindings } from '../text/reading-groups';
import { readCached, readTexts, storeArtifact } from './artifacts';
import {
  fitsOneCall,
  openCatalogue,
  readWindows,
  rejectEmptyFindings,
  sizesOf,
  topSources,
} from './catalogue';
import { readSection, sectionScope } from './plan-outline';
import type { ActivityPorts, ReportContext } from './ports';
import { roundOrdinal, runStep, type UsageAndWarnings } from './run-step';

// Pass 2: the reading plan, and the extraction of findings by section.

export const ReadingPlan = z.object({
  /** Sources for each section; a call may include others. */
  sections: z.array(z.object({ sectionId: z.string(), sourceIds: z.array(SourceId) })),
  calls: z.array(z.object({ sourceIds: z.array(SourceId), sectionIds: z.array(z.string()).min(1) })),
});
export type ReadingPlan = z.infer<typeof ReadingPlan>;

export interface PlanReadingInput {
  run: ReportContext;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
}

export interface PlannedReading {
  readingRef: ArtifactRef;
  calls: number;
}

/** Prepares pass 2: groups sources, so that shared ones are sent as rarely as possible. */
export async function planReading(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef }: PlanReadingInput,
): Promise<PlannedReading> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const all = await sizesOf(catalogue);
  const { sections } = await readCached(ports.content, outlineRef, Outline);
  const settings = run.synthesis;
  const wantedBy: ReadingPlan['sections'] = [];
  for (const section of sections) {
    let chars = 0;
    const top = await topSources(section, catalogue, settings.pass2FullContentCount);
    const fitting = top.filter((source, at) => {
      chars += digestChars(source.contentChars, settings);
      return at === 0 || chars <= settings.maxTotalChars;
    });
    wantedBy.push({ sectionId: section.id, sourceIds: fitting.map(({ id }) => id) });
  }
  const plan: ReadingPlan = {
    sections: wantedBy,
    calls: fitsOneCall(run, all)
      ? [{ sourceIds: all.map(({ id }) => id), sectionIds: sections.map(({ id }) => id) }]
      : planReadingCalls(all, wantedBy, {
          settings: run.synthesis,
          contextTokens: smallestWindow(run.models),
        }),
  };
  return {
    readingRef: await storeArtifact(ports.content, run.runId, plan),
    calls: plan.calls.length,
  };
}

export interface DeepDiveInput {
  run: ReportContext;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  sectionId: string;
}

export interface DeepDiveResult extends UsageAndWarnings {
  findingsRef: ArtifactRef;
  findings: number;
}

export async function deepDiveSection(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, sectionId }: DeepDiveInput,
  signal: AbortSignal,
): Promise<DeepDiveResult> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const { section } = await readSection(ports.content, outlineRef, sectionId);
  const chosen = await topSources(section, catalogue, run.synthesis.pass2FullContentCount);
  const { sources, retrievals } = await readWindows(ports, run, sectionScope(section), chosen, {
    pass: 2,
    besides: 0,
    signal,
  });
  const input = {
    question: run.question,
    section: sectionScope(section),
    sources,
    findings: targetFindings(run.synthesis),
    counts: catalogue.counts,
  };
  const place = { pass: 2, section: sectionId, ...roundOrdinal(run) };
  const extracted = await runStep(ports, run, extractFindings, input, { place, signal });
  await rejectEmptyFindings(ports, run, input, extracted, signal);
  const { output, usage, warnings } = extracted;
  const result: SectionFindings = {
    ...output,
    ...readingCoverage(run, sources),
    retrievals,
  };
  const findingsRef = await storeArtifact(ports.content, run.runId, result);
  const findings = output.findings.length;
  const key = eventKey({ ...place, step: extractFindings.name, type: 'deep-dive-section' });
  await ports.events.appendOnce(run.runId, key, {
    type: 'deep-dive-section',
    payload: {
      sectionId,
      title: section.title,
      sectionName: section.title,
      sourcesUsed: sources.length,
      findings,
    },
  });
  return { findingsRef, findings, usage, warnings };
}

/** A single-pass run reads no more of a source than a summary's length. */
function readingCoverage(
  { synthesis }: ReportContext,
  sources: readonly SourceWindow[],
): Pick<SectionFindings, 'readInFull' | 'readBySummary'> {
  const isInFull = ({ summaryOnly }: SourceWindow): boolean => synthesis.enableMultiPass && !summaryOnly;
  return {
    readInFull: sources.filter(isInFull).map(({ sourceId }) => sourceId),
    readBySummary: sources.filter((source) => !isInFull(source)).map(({ sourceId }) => sourceId),
  };
}

export interface TakeSummariesInput {
  run: ReportContext;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  sectionId: string;
}

/** Document 002: 10–20 findings per section. */
const MAX_FINDINGS = 15;

/** Fallback if pass 2 fails for a section: takes sentences that a source's summary and text share. Uses no engine. */
export async function takeSummaries(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, sectionId }: TakeSummariesInput,
  signal: AbortSignal,
): Promise<{ findingsRef: ArtifactRef; findings: number }> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const { section } = await readSection(ports.content, outlineRef, sectionId);
  const chosen = await topSources(section, catalogue, run.synthesis.pass2FullContentCount);
  // The slot limits how many sections hold full texts at once.
  const findings = await ports.threads.takeTurn(async () => {
    const texts = await readTexts(
      ports.content,
      chosen.flatMap((source) => [source.summaryRef, source.contentRef]),
    );
    const read = chosen.map(({ id, summaryRef, contentRef }) => ({
      sourceId: id,
      summary: texts.get(summaryRef) ?? '',
      content: texts.get(contentRef) ?? null,
    }));
    return findingsFromSummaries(sectionId, read, MAX_FINDINGS);
  }, signal);
  const result: SectionFindings = {
    sectionId,
    findings,
    readInFull: [],
    readBySummary: chosen.map(({ id }) => id),
    retrievals: { requested: 0, found: 0, missing: 0, chars: 0 },
  };
  return { findingsRef: await storeArtifact(ports.content, run.runId, result), findings: findings.length };
}
