import type { ArtifactRef } from '../../../contracts/run/artifact';
import { evenBatches } from '../../../core/run/batches';
import { shapeOfRun } from '../../run/batches';
import { inParallel } from '../../run/in-parallel';
import { listed } from '../../run/in-rounds';
import { activities } from '../activities';
import { catalogueBefore, outlineBefore, type Catalogue, type ReportRun } from '../carried-report';
import { catalogued, summarised } from '../gather';
import { givenSources, takenSources, waitingSources } from './given-sources';
import { outlineOfPlan, overview } from '../overview';
import { refreshFacts } from '../report-facts';
import { awaitApproval, needsApproval } from './approval';

/**
 * Between pass 1 and pass 2: what others have to say of the outline. Sources that were added join it, an outline that somebody
 * gave takes its place, and where the run is to wait for approval it does; until nothing of that is left.
 */
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

/** An outline that nobody gave or approved of is planned anew: one of fewer sources may have no place for what they say. */
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

/** Gathers added sources and matches them to the sections of the outline, which stays. */
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

/** A person's outline in the place of the planned one: its sections as they are, and every source scored for them. */
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
