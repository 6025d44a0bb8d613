import type { ArtifactRef } from '../../../contracts/run/artifact';
import { outline } from '../../../steps/outline/outline';
import { storeArtifact, readArtifact, readShared } from '../../shared/artifacts';
import { openCatalogue, readInPass1, summarisedSources } from '../gather/catalogue';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { inTurn, runStep, type Spent } from '../../shared/run-step';
import { OutlinePlan } from '../../../contracts/report/outline';
import { joinPlans } from '../../../core/ranking/join-plans';
import { NO_USAGE } from '../../../core/budget/usage';
import { mergeOutlines as mergeOutlinesStep } from '../../../steps/merge-outlines/merge-outlines';
import { wholeSources } from '../deep-dive/read-sources';
import { scoreRelevance } from '../../../steps/score-relevance/score-relevance';

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

/** Pass 1: a plan of the report from all sources where they fit into one call, else from the summaries of some or all. */
export async function planOutline(
  ports: ActivityPorts,
  { run, catalogueRef, from, to }: PlanOutlineInput,
  signal: AbortSignal,
): Promise<PlannedOutline> {
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const { output, ...spent } = await inTurn(ports, run, signal, async () => {
    const sources = await readInPass1(ports, run, catalogue, { from, to, signal });
    // `pass1SummaryCount` may leave some out.
    const texts =
      sources.length === catalogue.ids.length ? await wholeSources(ports, run, { catalogue }, signal) : null;
    const input = {
      question: run.question,
      sources,
      ...(texts === null ? {} : { texts }),
      counts: catalogue.counts,
    };
    return runStep(ports, run, outline, input, { place: { pass: 1, ordinal: from }, signal });
  });
  const planRef = await storeArtifact(ports.content, run.runId, output);
  return { planRef, sections: output.sections.length, ...spent };
}

export interface MergeOutlinesActivityInput {
  run: ReportFacts;
  /** In the order of the sources that they were made from. */
  planRefs: ArtifactRef[];
}

/** Pass 1, where the summaries did not fit into one call: one plan of those that were made from parts of them. */
export async function mergeOutlines(
  ports: ActivityPorts,
  { run, planRefs }: MergeOutlinesActivityInput,
  signal: AbortSignal,
): Promise<PlannedOutline> {
  const plans = await Promise.all(planRefs.map((ref) => readArtifact(ports.content, ref, OutlinePlan)));
  const answering = plans.filter(({ sections }) => sections.length > 0);
  // Where no part answers, or one alone, there is nothing to join that an engine is needed for.
  const { output, ...spent } =
    answering.length < 2
      ? { output: joinPlans(plans), usage: NO_USAGE, warnings: [] }
      : await runStep(
          ports,
          run,
          mergeOutlinesStep,
          { question: run.question, plans: answering },
          { place: { pass: 1 }, signal },
        );
  const planRef = await storeArtifact(ports.content, run.runId, output);
  return { planRef, sections: output.sections.length, ...spent };
}

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
