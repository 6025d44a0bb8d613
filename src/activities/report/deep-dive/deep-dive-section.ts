import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { SectionFindings } from '../../../contracts/report/finding';
import type { SourceWindow } from '../../../contracts/source/passage';
import { eventKey } from '../../../core/run/event-key';
import { extractFindings } from '../../../steps/extract-findings/extract-findings';
import { storeArtifact } from '../../shared/artifacts';
import { openCatalogue } from '../gather/catalogue';
import { briefOf, readSection } from '../overview/outline-section';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { readWindows, refuseNothing, topSources } from './read-sources';
import { wantedFindings } from '../../../core/passages/wanted-findings';
import { roundOf, runStep, type Spent } from '../../shared/run-step';

export interface DeepDiveInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  sectionId: string;
}

export interface DeepDiveResult extends Spent {
  findingsRef: ArtifactRef;
  findings: number;
}

/** Pass 2 for one section: findings from the full content of its most relevant sources. */
export async function deepDiveSection(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, sectionId }: DeepDiveInput,
  signal: AbortSignal,
): Promise<DeepDiveResult> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const { section } = await readSection(ports.content, outlineRef, sectionId);
  const chosen = await topSources(section, catalogue, run.synthesis.pass2FullContentCount);
  const { sources, retrievals } = await readWindows(ports, run, briefOf(section), chosen, {
    pass: 2,
    besides: 0,
    signal,
  });
  const input = {
    question: run.question,
    section: briefOf(section),
    sources,
    findings: wantedFindings(run.synthesis),
    counts: catalogue.counts,
  };
  const place = { pass: 2, section: sectionId, ...roundOf(run) };
  const extracted = await runStep(ports, run, extractFindings, input, { place, signal });
  await refuseNothing(ports, run, input, extracted, signal);
  const { output, usage, warnings } = extracted;
  const result: SectionFindings = {
    ...output,
    ...readingOf(run, sources),
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

/** What a single pass reads of a source is no longer than its summary. */
function readingOf(
  { synthesis }: ReportFacts,
  sources: readonly SourceWindow[],
): Pick<SectionFindings, 'readInFull' | 'readBySummary'> {
  const isInFull = ({ summaryOnly }: SourceWindow): boolean => synthesis.enableMultiPass && !summaryOnly;
  return {
    readInFull: sources.filter(isInFull).map(({ sourceId }) => sourceId),
    readBySummary: sources.filter((source) => !isInFull(source)).map(({ sourceId }) => sourceId),
  };
}
