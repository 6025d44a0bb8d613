import { CALL_SIZES, PLAN_CHARS, summariesPerCall } from '../core/call-estimates';
import type { PlannedOutline } from '../activities/plan-outline';
import type { ArtifactRef } from '../core/contracts/artifact';
import { activities } from './activities';
import { evenBatches, type Batch } from './batches';
import { contextTokensIn, worstCase } from './call-costs';
import { inParallel } from './in-parallel';
import { tellNoAnswer } from './no-answer';
import { orFallShort } from './or-fall-short';
import type { Run } from './run';
import { partOf } from './run-state';

/** Where no window limits it, a step is not given more summaries at once. */
const MOST_SUMMARIES = 10_000;
/** Longer lists of scores are answered carelessly. */
const MOST_SCORED = 100;

/**
 * Pass 1: a plan from all summaries, in parts that are joined where they do not fit into one call; then each source's score
 * for each section. Where that fails the report has one section, with the question as its title; where nothing answers it
 * has none.
 */
export async function overview(run: Run): Promise<void> {
  const catalogue = partOf(run.state, 'catalogue');
  const planned = run.input.synthesis.enableMultiPass
    ? await orFallShort(
        run,
        () => plan(run, catalogue),
        (reason) =>
          run.fallShort(
            `Pass 1 could not plan the report (${reason}), so it has one section, on the question as a whole.`,
          ),
      )
    : null;
  const planRef = planned?.planRef ?? null;
  const scoreRefs =
    planned === null || planned.sections === 0 ? [] : await score(run, catalogue, planned.planRef);
  const request = { run: run.brief, catalogueRef: catalogue.ref, planRef, scoreRefs };
  const settled = await run.carryOut(activities.settleOutline, request, 'settle the outline');
  run.state.outline = { ref: settled.outlineRef };
  run.state.sections = settled.sections.map(({ id, sources }) => ({
    id,
    sources,
    findingsRef: null,
    checksRef: null,
    unvalidated: false,
    draftRef: null,
  }));
  if (settled.sections.length === 0) await tellNoAnswer(run);
}

/** `sections` is missing in histories from before a plan could have none. */
type Plan = Pick<PlannedOutline, 'planRef'> & Partial<Pick<PlannedOutline, 'sections'>>;

interface Catalogue {
  ref: ArtifactRef;
  sources: number;
}

async function plan(run: Run, catalogue: Catalogue): Promise<Plan> {
  const { pass1SummaryCount } = run.input.synthesis;
  const count = pass1SummaryCount < 0 ? catalogue.sources : Math.min(pass1SummaryCount, catalogue.sources);
  const batches = evenBatches(count, summariesAtOnce(run, 0, MOST_SUMMARIES));
  run.plan(batches.length + (batches.length > 1 ? 1 : 0) + scoreBatches(run, catalogue).length + 1);
  const plans = await inParallel(batches, async (batch, index) => {
    const request = { run: run.brief, catalogueRef: catalogue.ref, ...batch };
    const cost = worstCase(run, 'overview', CALL_SIZES.outline(batch.to - batch.from));
    return run.ask(activities.planOutline, request, part('outline', batches, index), cost);
  });
  const planRefs = plans.map(({ planRef }) => planRef);
  const [only] = plans;
  if (plans.length === 1 && only !== undefined) return only;
  const cost = worstCase(run, 'overview', CALL_SIZES.mergeOutlines(planRefs.length));
  return run.ask(activities.mergeOutlines, { run: run.brief, planRefs }, 'join the plans', cost);
}

/** Where sources cannot be scored those of the plan stand. */
async function score(run: Run, catalogue: Catalogue, planRef: ArtifactRef): Promise<ArtifactRef[]> {
  const batches = scoreBatches(run, catalogue);
  const scored = await inParallel(batches, async (batch, index) => {
    const request = { run: run.brief, catalogueRef: catalogue.ref, planRef, ...batch };
    const cost = worstCase(run, 'overview', CALL_SIZES.scoreRelevance(batch.to - batch.from));
    return orFallShort(
      run,
      () => run.ask(activities.scoreSources, request, part('score sources', batches, index), cost),
      (reason) =>
        run.fallShort(
          `Sources ${batch.from + 1}–${batch.to} could not be scored for the sections (${reason}); they count for those that the outline named them in.`,
        ),
    );
  });
  return scored.flatMap((batch) => batch?.scoresRef ?? []);
}

function scoreBatches(run: Run, { sources }: Catalogue): Batch[] {
  return evenBatches(sources, summariesAtOnce(run, PLAN_CHARS, MOST_SCORED));
}

function summariesAtOnce(run: Run, besides: number, most: number): number {
  const contextTokens = contextTokensIn(run, 'overview');
  return contextTokens === null ? MOST_SUMMARIES : Math.min(most, summariesPerCall(contextTokens, besides));
}

function part(what: string, batches: readonly Batch[], index: number): string {
  return batches.length === 1 ? what : `${what} ${index + 1}/${batches.length}`;
}
