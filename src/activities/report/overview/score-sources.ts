import type { ArtifactRef } from '../../../contracts/run/artifact';
import { traitsOf } from '../../../contracts/run/engines';
import { OutlinePlan } from '../../../contracts/report/outline';
import { NO_USAGE } from '../../../core/budget/usage';
import { fitsWhole, smallestWindow } from '../../../core/passages/reading-groups';
import { scoreRelevance } from '../../../steps/score-relevance/score-relevance';
import { readShared, storeArtifact } from '../../shared/artifacts';
import { openCatalogue } from '../gather/catalogue';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { inTurn, runStep, type Spent } from '../../shared/run-step';
import { sizesOf } from '../gather/source-sizes';
import { summarisedSources } from '../gather/summarised-sources';

export interface ScoreSourcesInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  planRef: ArtifactRef;
  /** Places in the catalogue, `to` exclusive. */
  from: number;
  to: number;
}

export interface ScoredSources extends Spent {
  scoresRef: ArtifactRef;
}

/**
 * Pass 1, after the plan: what some sources have to say to each section. Where all sources are read whole, and together, no model
 * is asked which of them to read: the plan has said to which sections they belong.
 */
export async function scoreSources(
  ports: ActivityPorts,
  { run, catalogueRef, planRef, from, to }: ScoreSourcesInput,
  signal: AbortSignal,
): Promise<ScoredSources> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  // What comes later than the plan is not in it.
  const areAll = from === 0 && to >= catalogue.ids.length;
  if (areAll && traitsOf(run.engine).readsInGroups) {
    const limits = { settings: run.synthesis, contextTokens: smallestWindow(run.models) };
    if (fitsWhole(await sizesOf(catalogue), limits)) {
      const scoresRef = await storeArtifact(ports.content, run.runId, { scores: [] });
      return { scoresRef, usage: NO_USAGE, warnings: [] };
    }
  }
  const { sections } = await readShared(ports.content, planRef, OutlinePlan);
  const { output, ...spent } = await inTurn(ports, run, signal, async () => {
    const sources = await summarisedSources(ports, await catalogue.between(from, to));
    const input = { question: run.question, sections, sources };
    return runStep(ports, run, scoreRelevance, input, { place: { pass: 1, ordinal: from }, signal });
  });
  return { scoresRef: await storeArtifact(ports.content, run.runId, output), ...spent };
}
