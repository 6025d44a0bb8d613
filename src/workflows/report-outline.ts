import type { CatalogueSourcesInput } from '../activities/catalogue-sources';
import type { PlannedOutline } from '../activities/plan-outline';
import { modelOfPass, PLAN_CHARS, summariesPerCall } from '../contracts/budget';
import { traitsOf } from '../contracts/pipeline';
import type { RunShape } from '../contracts/run-input';
import type { ArtifactRef } from '../contracts/source';
import type { ReportRunInput } from '../contracts/start';
import { noAnswerSentence } from '../contracts/wording';
import { type Batch, batchesOf, evenBatches } from '../lib/iterables';
import {
  activities,
  awaitApproval,
  type Catalogue,
  catalogueBefore,
  givenSources,
  keepCatalogue,
  keepOutline,
  needsApproval,
  type Outline,
  outlineBefore,
  refreshFacts,
  type ReportRun,
  takenSources,
  waitingSources,
} from './report-state';
import { inParallel, inRounds, listed, orShortfall, partsDone, partsInRounds } from './run-parts';
import { shapeOfRun } from './steps';

const PLANS = 'plans';
const SCORES = 'scores';

/** Pass 1. If planning fails, the outline has one section, titled with the question. */
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

async function outlineOfPlan(
  run: ReportRun,
  catalogue: Catalogue,
  planned: Plan | null,
  /** Number of sources scored before; if positive, the sections stay. */
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

/** The plan covers all sources in one call, or all sources are read together. */
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
  const atOnce = Math.max(2, shape.round); // at least 2, because each join must reduce the number of plans
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

function cutUp(run: ReportRun, count: number, besides: number, most: (shape: RunShape) => number): Batches {
  const contextTokens = contextTokensOf(run);
  const shape = shapeOfRun(run.input);
  const size =
    contextTokens === null
      ? shape.summariesAtOnce
      : Math.min(most(shape), summariesPerCall(contextTokens, besides));
  return { shape, batches: evenBatches(count, size) };
}

function contextTokensOf(run: ReportRun): number | null {
  const { engine, models } = run.input;
  if (!traitsOf(engine).asksModels || !models) return null;
  const { role, number } = run.placeOf('overview');
  return modelOfPass(models, role, number).contextTokens;
}

function part(what: string, batches: readonly Batch[], index: number): string {
  return batches.length === 1 ? what : `${what} ${index + 1}/${batches.length}`;
}

/** The remaining passes are skipped, and the report ends partial. */
export async function tellNoAnswer(run: ReportRun): Promise<void> {
  run.carried.noAnswer = true;
  await run.warn({ code: 'no-answer', message: noAnswerSentence(run.input.question) });
}

const BATCHES = 'batches';

export async function gather(run: ReportRun): Promise<Catalogue> {
  const { manifestRef, sourceCount } = (run.carried.taken ??= givenSources(run));
  refreshFacts(run);
  const shape = shapeOfRun(run.input);
  const batches = evenBatches(sourceCount, batchSize(run.input, sourceCount, shape));
  run.plan(partsInRounds(shape, batches.length) + 1, partsDone(run, shape, BATCHES));
  const batchesDone = (run.carried.rounds?.[BATCHES]?.length ?? 0) * shape.round;
  run.planSources(sourceCount, batches.slice(0, batchesDone).at(-1)?.to ?? 0);
  const { refs, joined } = await inRounds(run, {
    name: BATCHES,
    shape,
    items: batches,
    async work(batch) {
      const batchRef = await summarised(run, manifestRef, batch);
      run.finishSources(batch.to - batch.from);
      return batchRef;
    },
    join: (batchRefs, round) => listed(run, batchRefs, round),
  });
  const batchRefs = joined ? { batchRefs: [], batchListRefs: refs } : { batchRefs: refs };
  return catalogued(run, manifestRef, batchRefs);
}

async function summarised(
  run: ReportRun,
  manifestRef: ArtifactRef,
  { from, to }: Batch,
): Promise<ArtifactRef> {
  const sources = `sources ${from + 1}–${to}`;
  const request = { run: run.facts, manifestRef, from, to };
  return (await run.ask(activities.summariseBatch, request, `${sources} · summarise`)).batchRef;
}

async function catalogued(
  run: ReportRun,
  manifestRef: ArtifactRef,
  batches: Pick<CatalogueSourcesInput, 'batchRefs' | 'batchListRefs'>,
): Promise<Catalogue> {
  const { asOf, qualityRulesRef, synthesis } = run.input;
  // The only activity that needs the quality rules, which may be part of the input.
  const facts = { ...run.facts, synthesis };
  const request = {
    run: facts,
    manifestRef,
    ...batches,
    asOf,
    ...(qualityRulesRef ? { qualityRulesRef } : {}),
  };
  const { catalogueRef, ...catalogue } = await run.carryOut(
    activities.catalogueSources,
    request,
    'catalogue',
  );
  return keepCatalogue(run.carried, { ref: catalogueRef, ...catalogue });
}

/** A model's answer holds few summaries. Without a model, fewer and larger batches are cheaper. */
function batchSize(
  { engine }: ReportRunInput,
  sourceCount: number,
  { sourcesABatch, mostBatches, largestBatch = Infinity }: RunShape,
): number {
  if (traitsOf(engine).asksModels) return sourcesABatch;
  return Math.max(sourcesABatch, Math.min(largestBatch, Math.ceil(sourceCount / mostBatches)));
}

/** Merges added sources, applies a given outline and waits for approval, until nothing is pending. */
export async function settleBeforeReading(run: ReportRun): Promise<void> {
  const { carried } = run;
  if (carried.readingBegun === true || carried.finishedPasses.includes('deep-dive')) return;
  for (;;) {
    await run.inbox.idle();
    if (waitingSources(run) > 0) await joinBeforeReading(run);
    else if (carried.wantedOutlineRef !== undefined) await takeGivenOutline(run, carried.wantedOutlineRef);
    else if (needsApproval(run)) await awaitApproval(run);
    else break;
    await run.continueAsNewIfLong();
  }
  carried.readingBegun = true;
}

export async function gatherAdded(run: ReportRun): Promise<Catalogue> {
  const { carried } = run;
  await run.inbox.idle();
  if (waitingSources(run) === 0) return catalogueBefore(carried);
  return gatherNew(run);
}

async function gatherNew(run: ReportRun): Promise<Catalogue> {
  const { carried } = run;
  const { gatheredRef } = catalogueBefore(carried);
  const before = takenSources(run).sourceCount;
  const given = givenSources(run);
  const { sourcesABatch, atOnce } = shapeOfRun(run.input);
  const batches = evenBatches(given.sourceCount - before, sourcesABatch);
  const refs = await inParallel(batches, atOnce, ({ from, to }) =>
    summarised(run, given.manifestRef, { from: before + from, to: before + to }),
  );
  const newRef = await listed(run, refs, 0);
  const catalogue = await catalogued(run, given.manifestRef, {
    batchRefs: [],
    batchListRefs: [gatheredRef, newRef],
  });
  carried.taken = given;
  refreshFacts(run);
  return catalogue;
}

/** Added sources may need new sections, so an outline that is neither given nor approved is planned again. */
async function joinBeforeReading(run: ReportRun): Promise<void> {
  const { carried } = run;
  const known = catalogueBefore(carried).sources;
  const outline = outlineBefore(carried);
  const catalogue = await gatherNew(run);
  if (catalogue.sources === known) return;
  const isGiven = carried.outlineIsGiven === true || carried.wantedOutlineRef !== undefined;
  const isSettled = isGiven || carried.approval?.isOver === true;
  if (outline.sections.length === 0 || !isSettled) {
    delete carried.noAnswer;
    await overview(run, catalogue);
    return;
  }
  await matchNew(run, catalogue, known);
}

export async function joinOutline(run: ReportRun): Promise<void> {
  const { carried } = run;
  const known = catalogueBefore(carried).sources;
  await matchNew(run, await gatherNew(run), known);
}

async function matchNew(run: ReportRun, catalogue: Catalogue, known: number): Promise<void> {
  const formerRef = outlineBefore(run.carried).ref;
  const request = { run: run.facts, catalogueRef: catalogue.ref, outlineRef: null, formerRef };
  const plan = await run.carryOut(activities.planGivenOutline, request, 'match the added sources');
  await outlineOfPlan(run, catalogue, plan, known);
}

/** Its sections stay as they are, and every source is scored for them. */
export async function takeGivenOutline(run: ReportRun, outlineRef: ArtifactRef): Promise<void> {
  const { carried } = run;
  const catalogue = catalogueBefore(carried);
  const formerRef = carried.outline?.ref ?? null;
  const request = { run: run.facts, catalogueRef: catalogue.ref, outlineRef, formerRef };
  const { planRef, sections } = await run.carryOut(
    activities.planGivenOutline,
    request,
    'take the given outline',
  );
  delete carried.noAnswer;
  carried.outlineIsGiven = true;
  await outlineOfPlan(run, catalogue, { planRef, sections });
  if (carried.wantedOutlineRef === outlineRef) delete carried.wantedOutlineRef;
}
