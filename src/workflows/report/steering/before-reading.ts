import type { ArtifactRef } from '../../../contracts/run/artifact';
import { traitsOf } from '../../../contracts/run/engines';
import { evenBatches } from '../../run/batches';
import { inParallel } from '../../run/in-parallel';
import { listed } from '../../run/in-rounds';
import { orShortfall } from '../../run/shortfall';
import { shapeOfRun } from '../../run/shape-of-run';
import { activities } from '../activities';
import { catalogueBefore, outlineBefore, keepOutline } from '../carried-report';
import { catalogued, summarised } from '../gather';
import { givenSources, takenSources, waitingSources } from './given-sources';
import type { Catalogue, Outline } from '../pass-artifacts';
import { outlineOfPlan, overview, scoreBatches } from '../overview';
import { refreshFacts } from '../report-facts';
import type { ReportRun } from '../report-run';
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

/** Sources that came during pass 0: gathered, and catalogued with the others. */
export async function gatherAdded(run: ReportRun): Promise<Catalogue> {
  const { carried } = run;
  await run.inbox.idle();
  if (waitingSources(run) === 0) return catalogueBefore(carried);
  return gatherNew(run);
}

/** Gathers what is new, and nothing that was gathered before. */
export async function gatherNew(run: ReportRun): Promise<Catalogue> {
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
  keepOutline(carried, await extended(run, { catalogue, outline, known }));
}

/** The outline with the new sources ranked for its sections, and the sections that they concern. */
export async function extended(
  run: ReportRun,
  { catalogue, outline, known }: { catalogue: Catalogue; outline: Outline; known: number },
): Promise<Outline & { concerned: string[] }> {
  const scoreRefs = traitsOf(run.input.engine).asksModels
    ? await scoredNew(run, { catalogue, outlineRef: outline.ref, known })
    : [];
  const request = {
    run: run.facts,
    catalogueRef: catalogue.ref,
    outlineRef: outline.ref,
    known,
    scoreRefs,
  };
  const { outlineRef, sections, concerned } = await run.carryOut(
    activities.extendOutline,
    request,
    'rank the added sources',
  );
  return { ref: outlineRef, sections, concerned };
}

async function scoredNew(
  run: ReportRun,
  { catalogue, outlineRef, known }: { catalogue: Catalogue; outlineRef: ArtifactRef; known: number },
): Promise<ArtifactRef[]> {
  const { shape, batches } = scoreBatches(run, { ...catalogue, sources: catalogue.sources - known });
  const scored = await inParallel(batches, shape.atOnce, async ({ from, to }) => {
    const place = { from: known + from, to: known + to };
    const request = { run: run.facts, catalogueRef: catalogue.ref, planRef: outlineRef, ...place };
    return orShortfall(
      run,
      () => run.ask(activities.scoreSources, request, `score added sources ${from + 1}–${to}`),
      (reason) =>
        run.addShortfall(
          `Added sources could not be scored for the sections (${reason}); they count for those whose words they share.`,
        ),
    );
  });
  return scored.flatMap((one) => one?.scoresRef ?? []);
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
