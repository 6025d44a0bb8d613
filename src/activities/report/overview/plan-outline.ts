import type { ArtifactRef } from '../../../contracts/run/artifact';
import { outline } from '../../../steps/outline/outline';
import { storeArtifact } from '../../shared/artifacts';
import { openCatalogue } from '../gather/catalogue';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { inTurn, runStep, type Spent } from '../../shared/run-step';
import { readInPass1 } from '../gather/summarised-sources';

export interface PlanOutlineInput {
  run: ReportFacts;
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
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const { output, ...spent } = await inTurn(ports, run, signal, async () => {
    const sources = await readInPass1(ports, run, catalogue, { from, to, signal });
    const input = { question: run.question, sources, counts: catalogue.counts };
    return runStep(ports, run, outline, input, { place: { pass: 1, ordinal: from }, signal });
  });
  const planRef = await storeArtifact(ports.content, run.runId, output);
  return { planRef, sections: output.sections.length, ...spent };
}
