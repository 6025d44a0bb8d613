import { PLAN_CHARS, summariesPerCall } from '../../core/budget/call-estimates';
import type { PlannedOutline } from '../../activities/report/overview/plan-outline';
import type { ArtifactRef } from '../../contracts/run/artifact';
import type { RunShape } from '../../contracts/run/run-input';
import { activities } from './activities';
import { batchesOf, evenBatches, type Batch } from '../../core/run/batches';
import { shapeOfRun } from '../run/batches';
import { modelOfPass } from '../../core/budget/model-of-pass';
import { traitsOf } from '../../contracts/run/engines';
import { inParallel } from '../run/in-parallel';
import { inRounds, listed, partsDone, partsInRounds } from '../run/in-rounds';
import { orShortfall } from '../run/shortfall';
import { type ReportRun, keepOutline, type Catalogue, type Outline } from './carried-report';
import { noAnswerSentence } from '../../core/report/no-answer-sentence';

const PLANS = 'plans';
const SCORES = 'scores';

/**
 * Pass 1: a plan from all sources, or from their summaries, in parts that are joined where they do not fit into one call; then each
 * source's score for each section, unless the plan has them. Where that fails the report has one section, with the question as its title; where nothing answers it
 * has none.
 */
export async function overview(run: ReportRun, catalogue: Catalogue): Promise<Outline> {
  const planned = run.input.synthesis.enableMultiPass
    ? await orShortfall(
        run,
        () => plan(run, catalogue),
        (reason) =>
          run.addShortfall(
            `Pass 1 could not plan the report (${reason}), so it has one section, on the question as a whole.`,
          ),
      )
    : null;
  return outlineOfPlan(run, catalogue, planned);
}

export async function outlineOfPlan(
  run: ReportRun,
  catalogue: Catalogue,
  planned: Plan | null,
  /** How many sources an outline with these sections has scored already; its sections stay then. */
  known = 0,
): Promise<Outline> {
  const { carried } = run;
  const planRef = planned?.planRef ?? null;
  if (planned !== null) carried.planned = { planRef: planned.planRef, sections: planned.sections };
  const scores =
    planned === null || planned.sections === 0 || isScored(run, catalogue, known)
      ? { scoreRefs: [] }
      : await score(run, catalogue, planned.planRef, known);
  const request = {
    run: run.facts,
    catalogueRef: catalogue.ref,
    planRef,
    ...scores,
    ...(carried.outlineIsGiven === true || known > 0 ? { keepsSections: true } : {}),
    ...(carried.outlines === undefined ? {} : { ordinal: carried.outlines }),
  };
  const settled = await run.carryOut(activities.settleOutline, request, 'settle the outline');
  carried.outlines = (carried.outlines ?? 0) + 1;
  const outline = keepOutline(carried, { ref: settled.outlineRef, sections: settled.sections });
  if (outline.sections.length === 0) await tellNoAnswer(run);
  return outline;
}

/**
 * True if nothing is left to score: a model that planned from all sources in one call has scored them, and of sources that are read
 * whole together none has to be chosen.
 */
function isScored(run: ReportRun, catalogue: Catalogue, known: number): boolean {
  if (!traitsOf(run.input.engine).asksModels || known > 0) return false;
  if (catalogue.isWhole === true) return true;
  const isPlanned = run.carried.outlineIsGiven !== true;
  const batches = planBatches(run, catalogue).batches;
  return isPlanned && batches.length === 1 && batches[0]?.to === catalogue.sources;
}

export type Plan = Pick<PlannedOutline, 'planRef' | 'sections'>;

async function plan(run: ReportRun, catalogue: Catalogue): Promise<Plan> {
  if (run.carried.planned !== undefined) return run.carried.planned;
  const { shape, batches } = planBatches(run, catalogue);
  const scored = scoreBatches(run, catalogue);
  const merges = batches.length > 1 ? 1 : 0;
  const scores = isScored(run, catalogue, 0) ? 0 : partsInRounds(scored.shape, scored.batches.length);
  const parts = partsInRounds(shape, batches.length) + merges + scores;
  run.plan(parts + 1, partsDone(run, shape, PLANS));
  const plans = new Map<ArtifactRef, Plan>();
  const { refs } = await inRounds(run, {
    name: PLANS,
    shape,
    items: batches,
    work: async (batch, index) => {
      const request = { run: run.facts, catalogueRef: catalogue.ref, ...batch };
      const planned = await run.ask(activities.planOutline, request, part('outline', batches, index));
      plans.set(planned.planRef, planned);
      return planned.planRef;
    },
    join: async (planRefs, round) =>
      (await merged(run, planRefs, `join the plans of round ${round + 1}`)).planRef,
  });
  return mergedAll(run, refs, { plans, shape });
}

async function mergedAll(
  run: ReportRun,
  planRefs: readonly ArtifactRef[],
  { plans, shape }: { plans: ReadonlyMap<ArtifactRef, Plan>; shape: RunShape },
): Promise<Plan> {
  const atOnce = Math.max(2, shape.round); // a join makes fewer of them
  const [first] = planRefs;
  const only = planRefs.length === 1 && first !== undefined ? plans.get(first) : undefined;
  if (only !== undefined) return only;
  if (planRefs.length <= atOnce) return merged(run, [...planRefs], 'join the plans');
  const groups = batchesOf(planRefs.length, atOnce);
  const joined = await inParallel(groups, shape.atOnce, ({ from, to }, at) =>
    merged(run, planRefs.slice(from, to), part('join the plans', groups, at)),
  );
  return mergedAll(
    run,
    joined.map(({ planRef }) => planRef),
    { plans, shape },
  );
}

function merged(run: ReportRun, planRefs: ArtifactRef[], name: string): Promise<PlannedOutline> {
  return run.ask(activities.mergeOutlines, { run: run.facts, planRefs }, name);
}

/** Where sources cannot be scored those of the plan stand. */
async function score(
  run: ReportRun,
  catalogue: Catalogue,
  planRef: ArtifactRef,
  known: number,
): Promise<{ scoreRefs: ArtifactRef[]; scoreListRefs?: ArtifactRef[] }> {
  const { shape, batches: fromFirst } = scoreBatches(run, { sources: catalogue.sources - known });
  const batches = fromFirst.map(({ from, to }) => ({ from: known + from, to: known + to }));
  const { refs, joined } = await inRounds(run, {
    name: SCORES,
    shape,
    items: batches,
    work: async (batch, index) => {
      const request = { run: run.facts, catalogueRef: catalogue.ref, planRef, ...batch };
      const scored = await orShortfall(
        run,
        () => run.ask(activities.scoreSources, request, part('score sources', batches, index)),
        (reason) =>
          run.addShortfall(
            `Sources ${batch.from + 1}–${batch.to} could not be scored for the sections (${reason}); they count for those that the outline named them in.`,
          ),
      );
      return scored?.scoresRef ?? null;
    },
    join: (scoreRefs, round) => listed(run, scoreRefs, round),
  });
  return joined ? { scoreRefs: [], scoreListRefs: refs } : { scoreRefs: refs };
}

interface Batches {
  shape: RunShape;
  batches: Batch[];
}

function planBatches(run: ReportRun, catalogue: Catalogue): Batches {
  const { pass1SummaryCount } = run.input.synthesis;
  const count = pass1SummaryCount < 0 ? catalogue.sources : Math.min(pass1SummaryCount, catalogue.sources);
  if (catalogue.isWhole === true) return { shape: shapeOfRun(run.input), batches: evenBatches(count, count) };
  return cutUp(run, count, 0, ({ summariesAtOnce }) => summariesAtOnce);
}

function scoreBatches(run: ReportRun, { sources }: Pick<Catalogue, 'sources'>): Batches {
  return cutUp(run, sources, PLAN_CHARS, ({ scoredAtOnce }) => scoredAtOnce);
}

/** `most` is how many a model is given; the extractive engine takes as many as are planned from at once. */
function cutUp(run: ReportRun, count: number, besides: number, most: (shape: RunShape) => number): Batches {
  const contextTokens = contextTokensOf(run);
  const shape = shapeOfRun(run.input);
  const size =
    contextTokens === null
      ? shape.summariesAtOnce
      : Math.min(most(shape), summariesPerCall(contextTokens, besides));
  return { shape, batches: evenBatches(count, size) };
}

/** How many tokens the model of the pass takes; null where the engine asks none. */
function contextTokensOf(run: ReportRun): number | null {
  const { engine, models } = run.input;
  if (!traitsOf(engine).asksModels || !models) return null;
  const { role, number } = run.placeOf('overview');
  return modelOfPass(models, role, number).contextTokens;
}

function part(what: string, batches: readonly Batch[], index: number): string {
  return batches.length === 1 ? what : `${what} ${index + 1}/${batches.length}`;
}

/** Nothing answers: no further pass has anything to do, and the report says so and ends partial. */
export async function tellNoAnswer(run: ReportRun): Promise<void> {
  run.carried.noAnswer = true;
  await run.warn({ code: 'no-answer', message: noAnswerSentence(run.input.question) });
}
