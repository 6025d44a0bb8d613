import type { ArtifactRef } from '../core/contracts/artifact';
import { SourceCatalogue } from '../core/contracts/source';
import { outline } from '../steps/outline';
import { readShared, storeArtifact } from './artifacts';
import type { ActivityPorts, RunBrief } from './ports';
import { runStep, type Spent } from './run-step';
import { readInPass1 } from './summarised-sources';

export interface PlanOutlineInput {
  run: RunBrief;
  catalogueRef: ArtifactRef;
  /** Places among the sources that pass 1 reads, `to` exclusive. */
  from: number;
  to: number;
}

export interface PlannedOutline extends Spent {
  planRef: ArtifactRef;
  /** 0 where nothing answers. */
  sections: number;
}

/** Pass 1: a plan of the report from the summaries of some sources, or of all where they fit into one call. */
export async function planOutline(
  ports: ActivityPorts,
  { run, catalogueRef, from, to }: PlanOutlineInput,
  signal: AbortSignal,
): Promise<PlannedOutline> {
  const catalogue = await readShared(ports.content, catalogueRef, SourceCatalogue);
  const sources = await readInPass1(ports, run, catalogue, { from, to });
  const { output, ...spent } = await runStep(
    ports,
    run,
    outline,
    { question: run.question, sources, counts: catalogue.counts },
    { place: { pass: 1, ordinal: from }, signal },
  );
  const planRef = await storeArtifact(ports.content, run.runId, output);
  return { planRef, sections: output.sections.length, ...spent };
}
