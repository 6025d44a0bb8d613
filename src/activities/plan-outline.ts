import type { ArtifactRef } from '../core/contracts/artifact';
import { SourceCatalogue } from '../core/contracts/source';
import { eventKey } from '../core/event-key';
import { outline } from '../steps/outline';
import { readShared, storeArtifact } from './artifacts';
import type { ActivityPorts, RunBrief } from './ports';
import { runStep, type Spent } from './run-step';

export interface PlanOutlineInput {
  run: RunBrief;
  catalogueRef: ArtifactRef;
}

export interface PlannedOutline extends Spent {
  outlineRef: ArtifactRef;
  overallTheme: string;
  sections: { id: string; title: string; sources: number }[];
}

/** Pass 1: the outline of the report, from the summaries of all sources. */
export async function planOutline(
  ports: ActivityPorts,
  { run, catalogueRef }: PlanOutlineInput,
  signal: AbortSignal,
): Promise<PlannedOutline> {
  const catalogue = await readShared(ports.content, catalogueRef, SourceCatalogue);
  const summaries = await ports.content.retrieveBatch(catalogue.sources.map((source) => source.summaryRef));
  const sources = catalogue.sources.map((source) => ({
    sourceId: source.id,
    title: source.title,
    publishedAt: source.publishedAt,
    quality: source.quality,
    nearDuplicateOf: source.nearDuplicateOf,
    mentions: source.mentions,
    summary: summaries.get(source.summaryRef) ?? source.title,
  }));
  const input = { question: run.question, sources };
  const { output, usage, warnings } = await runStep(ports, run, outline, input, {
    place: { pass: 1 },
    signal,
  });
  const outlineRef = await storeArtifact(ports.content, run.runId, output);
  const sections = output.sections.map(({ id, title, relevantSources }) => ({
    id,
    title,
    sources: relevantSources.length,
  }));
  await ports.events.appendOnce(
    run.runId,
    eventKey({ pass: 1, step: outline.name, type: 'outline-generated' }),
    {
      type: 'outline-generated',
      payload: { overallTheme: output.overallTheme, sections },
    },
  );
  return { outlineRef, overallTheme: output.overallTheme, sections, usage, warnings };
}
