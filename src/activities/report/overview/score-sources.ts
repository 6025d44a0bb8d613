import type { ArtifactRef } from '../../../contracts/run/artifact';
import { OutlinePlan } from '../../../contracts/report/outline';
import { scoreRelevance } from '../../../steps/score-relevance/score-relevance';
import { readShared, storeArtifact } from '../../shared/artifacts';
import { openCatalogue } from '../gather/catalogue';
import type { ActivityPorts, RunBrief } from '../../shared/ports';
import { inTurn, runStep, type Spent } from '../../shared/run-step';
import { summarisedSources } from '../gather/summarised-sources';

export interface ScoreSourcesInput {
  run: RunBrief;
  catalogueRef: ArtifactRef;
  planRef: ArtifactRef;
  /** Places in the catalogue, `to` exclusive. */
  from: number;
  to: number;
}

export interface ScoredSources extends Spent {
  scoresRef: ArtifactRef;
}

/** Pass 1, after the plan: what some sources have to say to each section. */
export async function scoreSources(
  ports: ActivityPorts,
  { run, catalogueRef, planRef, from, to }: ScoreSourcesInput,
  signal: AbortSignal,
): Promise<ScoredSources> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const { sections } = await readShared(ports.content, planRef, OutlinePlan);
  const { output, ...spent } = await inTurn(ports, run, signal, async () => {
    const sources = await summarisedSources(ports, await catalogue.between(from, to));
    const input = { question: run.question, sections, sources };
    return runStep(ports, run, scoreRelevance, input, { place: { pass: 1, ordinal: from }, signal });
  });
  return { scoresRef: await storeArtifact(ports.content, run.runId, output), ...spent };
}
