import type { CatalogueSourcesInput } from '../activities/catalogue-sources';
import type { PlannedOutline } from '../activities/plan-outline';
import { modelOfPass, PLAN_CHARS, summariesPerCall } from '../contracts/budget';
import { capabilitiesOf } from '../contracts/pipeline';
import type { RunShape } from '../contracts/run-input';
import type { ArtifactRef } from '../contracts/source';
import type { ReportRunInput } from '../contracts/start';
import { noAnswerSentence } from '../contracts/wording';
import { type Batch, batchesOf, evenBatches } from '../lib/iterables';
import {
  awaitApproval,
  type Catalogue,
  gatheredSources,
  inputSources,
  needsApproval,
  type Outline,
  pendingSourceCount,
  reportActivities,
  type ReportRun,
  saveCatalogue,
  saveOutline,
  storedCatalogue,
  storedOutline,
  updateFacts,
} from './report-state';
import {
  finishedPartCount,
  mapParallel,
  orShortfall,
  roundPartCount,
  runInRounds,
  storeList,
} from './run-parts';
import { runShape } from './steps';

const PLAN_ROUNDS = 'plans';
const SCORE_ROUNDS = 'scores';

/** Pass 1. If planning fails, the outline has one section, titled with the question. */
export async function planOverview(run: ReportRun, catalogue: Catalogue): Promise<Outline> {
  const planned = run.input.synthesis.enableMultiPass
    ? await orShortfall(
        run,
        () => planOutline(run, catalogue),
        (reason) =>
          run.addShortfall(
            `Pass 1 could not plan the report (${reason}), so it has one section, on the question as a whole.`,
          ),
      )
    : null;
  return buildOutline(run, catalogue, planned);
}

async function buildOutline(
  run: ReportRun,
  catalogue: Catalogue,
  planned: OutlinePlan | null,
  /** Number of sources scored before; if positive, the sections stay. */
  known = 0,
): Promise<Outline> {
  const { carried } = run;
  const planRef = planned?.planRef ?? null;
  if (planned !== null) carried.planned = { planRef: planned.planRef, sections: planned.sections };
  const scores =
    planned === null || planned.sections === 0 || isScored(run, catalogue, known)
      ? { scoreRefs: [] }
      : await scoreSources(run, catalogue, planned.planRef, known);
  const request = {
    run: run.facts,
    catalogueRef: catalogue.ref,
    planRef,
    ...scores,
    ...(carried.outlineIsGiven === true || known > 0 ? { keepsSections: true } : {}),
    ...(carried.outlines === undefined ? {} : { ordinal: carried.outlines }),
  };
  const settled = await run.carryOut(reportActivities.settleOutline, request, 'settle the outline');
  carried.outlines = (carried.outlines ?? 0) + 1;
  const outline = saveOutline(carried, { ref: settled.outlineRef, sections: settled.sections });
  if (outline.sections.length === 0) await reportNoAnswer(run);
  return outline;
}

/** The plan covers all sources in one call, or all sources are read together. */
function isScored(run: ReportRun, catalogue: Catalogue, known: number): boolean {
  if (!capabilitiesOf(run.input.engine).asksModels || known > 0) return false;
  if (catalogue.isWhole === true) return true;
  const isPlanned = run.carried.outlineIsGiven !== true;
  const batches = planBatches(run, catalogue).batches;
  return isPlanned && batches.length === 1 && batches[0]?.to === catalogue.sources;
}

export type OutlinePlan = Pick<PlannedOutline, 'planRef' | 'sections'>;

async function planOutline(run: ReportRun, catalogue: Catalogue): Promise<OutlinePlan> {
  if (run.carried.planned !== undefined) return run.carried.planned;
  const { shape, batches } = planBatches(run, catalogue);
  const scored = scoreBatches(run, catalogue);
  const merges = batches.length > 1 ? 1 : 0;
  const scores = isScored(run, catalogue, 0) ? 0 : roundPartCount(scored.shape, scored.batches.length);
  const parts = roundPartCount(shape, batches.length) + merges + scores;
  run.plan(parts + 1, finishedPartCount(run, shape, PLAN_ROUNDS));
  const plans = new Map<ArtifactRef, OutlinePlan>();
  const { refs } = await runInRounds(run, {
    name: PLAN_ROUNDS,
    shape,
    items: batches,
    work: async (batch, index) => {
      const request = { run: run.facts, catalogueRef: catalogue.ref, ...batch };
      const planned = await run.ask(
        reportActivities.planOutline,
        request,
        batchLabel('outline', batches, index),
      );
      plans.set(planned.planRef, planned);
      return planned.planRef;
    },
    join: async (planRefs, round) =>
      (await mergePlans(run, planRefs, `join the plans of round ${round + 1}`)).planRef,
  });
  return mergeAllPlans(run, refs, { plans, shape });
}

async function mergeAllPlans(
  run: ReportRun,
  planRefs: readonly ArtifactRef[],
  { plans, shape }: { plans: ReadonlyMap<ArtifactRef, OutlinePlan>; shape: RunShape },
): Promise<OutlinePlan> {
  const atOnce = Math.max(2, shape.round); // at least 2, because each join must reduce the number of plans
  const [first] = planRefs;
  const only = planRefs.length === 1 && first !== undefined ? plans.get(first) : undefined;
  if (only !== undefined) return only;
  if (planRefs.length <= atOnce) return mergePlans(run, [...planRefs], 'join the plans');
  const groups = batchesOf(planRefs.length, atOnce);
  const joined = await mapParallel(groups, shape.atOnce, ({ from, to }, at) =>
    mergePlans(run, planRefs.slice(from, to), batchLabel('join the plans', groups, at)),
  );
  return mergeAllPlans(
    run,
    joined.map(({ planRef }) => planRef),
    { plans, shape },
  );
}

function mergePlans(run: ReportRun, planRefs: ArtifactRef[], name: string): Promise<PlannedOutline> {
  return run.ask(reportActivities.mergeOutlines, { run: run.facts, planRefs }, name);
}

async function scoreSources(
  run: ReportRun,
  catalogue: Catalogue,
  planRef: ArtifactRef,
  known: number,
): Promise<{ scoreRefs: ArtifactRef[]; scoreListRefs?: ArtifactRef[] }> {
  const { shape, batches: fromFirst } = scoreBatches(run, { sources: catalogue.sources - known });
  const batches = fromFirst.map(({ from, to }) => ({ from: known + from, to: known + to }));
  const { refs, joined } = await runInRounds(run, {
    name: SCORE_ROUNDS,
    shape,
    items: batches,
    work: async (batch, index) => {
      const request = { run: run.facts, catalogueRef: catalogue.ref, planRef, ...batch };
      const scored = await orShortfall(
        run,
        () => run.ask(reportActivities.scoreSources, request, batchLabel('score sources', batches, index)),
        (reason) =>
          run.addShortfall(
            `Sources ${batch.from + 1}–${batch.to} could not be scored for the sections (${reason}); they count for those that the outline named them in.`,
          ),
      );
      return scored?.scoresRef ?? null;
    },
    join: (scoreRefs, round) => storeList(run, scoreRefs, round),
  });
  return joined ? { scoreRefs: [], scoreListRefs: refs } : { scoreRefs: refs };
}

interface BatchPlan {
  shape: RunShape;
  batches: Batch[];
}

function planBatches(run: ReportRun, catalogue: Catalogue): BatchPlan {
  const { pass1SummaryCount } = run.input.synthesis;
  const count = pass1SummaryCount < 0 ? catalogue.sources : Math.min(pass1SummaryCount, catalogue.sources);
  if (catalogue.isWhole === true) return { shape: runShape(run.input), batches: evenBatches(count, count) };
  return splitSources(run, count, 0, ({ summariesAtOnce }) => summariesAtOnce);
}

function scoreBatches(run: ReportRun, { sources }: Pick<Catalogue, 'sources'>): BatchPlan {
  return splitSources(run, sources, PLAN_CHARS, ({ scoredAtOnce }) => scoredAtOnce);
}

function splitSources(
  run: ReportRun,
  count: number,
  besides: number,
  most: (shape: RunShape) => number,
): BatchPlan {
  const contextTokens = modelContextTokens(run);
  const shape = runShape(run.input);
  const size =
    contextTokens === null
      ? shape.summariesAtOnce
      : Math.min(most(shape), summariesPerCall(contextTokens, besides));
  return { shape, batches: evenBatches(count, size) };
}

function modelContextTokens(run: ReportRun): number | null {
  const { engine, models } = run.input;
  if (!capabilitiesOf(engine).asksModels || !models) return null;
  const { role, number } = run.placeOf('overview');
  return modelOfPass(models, role, number).contextTokens;
}

function batchLabel(what: string, batches: readonly Batch[], index: number): string {
  return batches.length === 1 ? what : `${what} ${index + 1}/${batches.length}`;
}

/** The remaining passes are skipped, and the report ends partial. */
export async function reportNoAnswer(run: ReportRun): Promise<void> {
  run.carried.noAnswer = true;
  await run.warn({ code: 'no-answer', message: noAnswerSentence(run.input.question) });
}

const BATCH_ROUNDS = 'batches';

export async function gatherSources(run: ReportRun): Promise<Catalogue> {
  const { manifestRef, sourceCount } = (run.carried.taken ??= inputSources(run));
  updateFacts(run);
  const shape = runShape(run.input);
  const batches = evenBatches(sourceCount, batchSize(run.input, sourceCount, shape));
  run.plan(roundPartCount(shape, batches.length) + 1, finishedPartCount(run, shape, BATCH_ROUNDS));
  const batchesDone = (run.carried.rounds?.[BATCH_ROUNDS]?.length ?? 0) * shape.round;
  run.planSources(sourceCount, batches.slice(0, batchesDone).at(-1)?.to ?? 0);
  const { refs, joined } = await runInRounds(run, {
    name: BATCH_ROUNDS,
    shape,
    items: batches,
    async work(batch) {
      const batchRef = await summariseBatch(run, manifestRef, batch);
      run.finishSources(batch.to - batch.from);
      return batchRef;
    },
    join: (batchRefs, round) => storeList(run, batchRefs, round),
  });
  const batchRefs = joined ? { batchRefs: [], batchListRefs: refs } : { batchRefs: refs };
  return buildCatalogue(run, manifestRef, batchRefs);
}

async function summariseBatch(
  run: ReportRun,
  manifestRef: ArtifactRef,
  { from, to }: Batch,
): Promise<ArtifactRef> {
  const sources = `sources ${from + 1}–${to}`;
  const request = { run: run.facts, manifestRef, from, to };
  return (await run.ask(reportActivities.summariseBatch, request, `${sources} · summarise`)).batchRef;
}

async function buildCatalogue(
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
    reportActivities.catalogueSources,
    request,
    'catalogue',
  );
  return saveCatalogue(run.carried, { ref: catalogueRef, ...catalogue });
}

/** A model's answer holds few summaries. Without a model, fewer and larger batches are cheaper. */
function batchSize(
  { engine }: ReportRunInput,
  sourceCount: number,
  { sourcesABatch, mostBatches, largestBatch = Infinity }: RunShape,
): number {
  if (capabilitiesOf(engine).asksModels) return sourcesABatch;
  return Math.max(sourcesABatch, Math.min(largestBatch, Math.ceil(sourceCount / mostBatches)));
}

/** Merges added sources, applies a given outline and waits for approval, until nothing is pending. */
export async function finalizeOutline(run: ReportRun): Promise<void> {
  const { carried } = run;
  if (carried.readingBegun === true || carried.finishedPasses.includes('deep-dive')) return;
  for (;;) {
    await run.inbox.idle();
    if (pendingSourceCount(run) > 0) await mergeAddedSources(run);
    else if (carried.wantedOutlineRef !== undefined) await applyInputOutline(run, carried.wantedOutlineRef);
    else if (needsApproval(run)) await awaitApproval(run);
    else break;
    await run.continueAsNewIfLong();
  }
  carried.readingBegun = true;
}

export async function gatherAddedSources(run: ReportRun): Promise<Catalogue> {
  const { carried } = run;
  await run.inbox.idle();
  if (pendingSourceCount(run) === 0) return storedCatalogue(carried);
  return gatherNewSources(run);
}

async function gatherNewSources(run: ReportRun): Promise<Catalogue> {
  const { carried } = run;
  const { gatheredRef } = storedCatalogue(carried);
  const before = gatheredSources(run).sourceCount;
  const given = inputSources(run);
  const { sourcesABatch, atOnce } = runShape(run.input);
  const batches = evenBatches(given.sourceCount - before, sourcesABatch);
  const refs = await mapParallel(batches, atOnce, ({ from, to }) =>
    summariseBatch(run, given.manifestRef, { from: before + from, to: before + to }),
  );
  const newRef = await storeList(run, refs, 0);
  const catalogue = await buildCatalogue(run, given.manifestRef, {
    batchRefs: [],
    batchListRefs: [gatheredRef, newRef],
  });
  carried.taken = given;
  updateFacts(run);
  return catalogue;
}

/** Added sources may need new sections, so an outline that is neither given nor approved is planned again. */
async function mergeAddedSources(run: ReportRun): Promise<void> {
  const { carried } = run;
  const known = storedCatalogue(carried).sources;
  const outline = storedOutline(carried);
  const catalogue = await gatherNewSources(run);
  if (catalogue.sources === known) return;
  const isGiven = carried.outlineIsGiven === true || carried.wantedOutlineRef !== undefined;
  const isSettled = isGiven || carried.approval?.isOver === true;
  if (outline.sections.length === 0 || !isSettled) {
    delete carried.noAnswer;
    await planOverview(run, catalogue);
    return;
  }
  await matchNewSources(run, catalogue, known);
}

export async function assignAddedSources(run: ReportRun): Promise<void> {
  const { carried } = run;
  const known = storedCatalogue(carried).sources;
  await matchNewSources(run, await gatherNewSources(run), known);
}

async function matchNewSources(run: ReportRun, catalogue: Catalogue, known: number): Promise<void> {
  const formerRef = storedOutline(run.carried).ref;
  const request = { run: run.facts, catalogueRef: catalogue.ref, outlineRef: null, formerRef };
  const plan = await run.carryOut(reportActivities.planGivenOutline, request, 'match the added sources');
  await buildOutline(run, catalogue, plan, known);
}

/** Its sections stay as they are, and every source is scored for them. */
export async function applyInputOutline(run: ReportRun, outlineRef: ArtifactRef): Promise<void> {
  const { carried } = run;
  const catalogue = storedCatalogue(carried);
  const formerRef = carried.outline?.ref ?? null;
  const request = { run: run.facts, catalogueRef: catalogue.ref, outlineRef, formerRef };
  const { planRef, sections } = await run.carryOut(
    reportActivities.planGivenOutline,
    request,
    'take the given outline',
  );
  delete carried.noAnswer;
  carried.outlineIsGiven = true;
  await buildOutline(run, catalogue, { planRef, sections });
  if (carried.wantedOutlineRef === outlineRef) delete carried.wantedOutlineRef;
}
