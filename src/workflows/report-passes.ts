import { ApplicationFailure, CancellationScope } from '@temporalio/workflow';
import type { SettledSearch } from '../activities/search-results';
import { isSpent } from '../contracts/budget';
import { traitsOf } from '../contracts/pipeline';
import type { ArtifactRef } from '../contracts/source';
import { invalidInput } from './input';
import { deepDive, eachSection, foundRefs, sectionName, sectionPart, takeUnchecked } from './report-findings';
import {
  gather,
  gatherAdded,
  joinOutline,
  overview,
  settleBeforeReading,
  takeGivenOutline,
} from './report-outline';
import {
  activities,
  artifactFor,
  type Catalogue,
  catalogueBefore,
  type FoundSection,
  givenSources,
  keepValidated,
  missingSources,
  type Outline,
  outlineBefore,
  type Reading,
  readingBefore,
  type ReportRun,
  validatedBefore,
  waitingSources,
  withAdded,
} from './report-state';
import { judgeReport, quoteFindings, writeText } from './report-writing';
import { inParallel, orShortfall } from './run-parts';
import { isAtItsBeginning } from './run-state';
import { endSearchRound, searchRound } from './search-round';
import { activities as shared, computing, shapeOfRun } from './steps';

const NOTHING_FOUND = 'NothingFound';

/**
 * A report, pass by pass. Where nothing answers, the passes that are left have nothing to do. While sources are added, the passes
 * are repeated over all sources.
 */
export async function carryOutPasses(run: ReportRun): Promise<void> {
  await admit(run);
  do await carryOutOnce(run);
  while (await repeatsPasses(run));
  run.carried.closing = true;
}

async function carryOutOnce(run: ReportRun): Promise<void> {
  const { carried } = run;
  await run.pass(
    'gather',
    async () => {
      await findSources(run);
      return gather(run);
    },
    () => catalogueBefore(carried),
  );
  await run.pass(
    'overview',
    async () => {
      const gathered = await gatherAdded(run);
      const { wantedOutlineRef } = carried;
      if (wantedOutlineRef === undefined) await overview(run, gathered);
      else await takeGivenOutline(run, wantedOutlineRef);
    },
    () => undefined,
  );
  await settleBeforeReading(run);
  const catalogue = catalogueBefore(carried);
  const outline = outlineBefore(carried);
  const reading = await run.pass(
    'deep-dive',
    () => deepDive(run, catalogue, outline),
    () => readingBefore(carried),
  );
  const validatedRef = run.input.synthesis.enableMultiPass
    ? await run.pass(
        'cross-reference',
        async () => reading && crossReference(run, { catalogue, outline, reading }),
        () => validatedBefore(carried),
      )
    : reading && artifactFor(reading.validatedRef ?? null, 'validatedRef');
  await run.pass(
    'report',
    async () => {
      if (!reading || !validatedRef) return;
      if (!(await hasMoreToRead(run))) await searchForGaps(run);
      // Sources that came until now are read before anything is written.
      if (await hasMoreToRead(run)) return;
      await writeReport(run, { catalogue, outline, sections: reading.sections, validatedRef });
    },
    () => undefined,
  );
}

/** Pass 4: a model writes the text, which is audited, mended and judged; else the findings are quoted. */
async function writeReport(
  run: ReportRun,
  given: {
    catalogue: Catalogue;
    outline: Outline;
    sections: readonly FoundSection[];
    validatedRef: ArtifactRef;
  },
): Promise<void> {
  const { catalogue, outline, sections, validatedRef } = given;
  const refs = { catalogueRef: catalogue.ref, outlineRef: outline.ref, validatedRef };
  const textRef = traitsOf(run.input.engine).asksModels ? await writeText(run, refs) : null;
  if (textRef === null) await quoteFindings(run, refs, sections);
  else await judgeReport(run, { refs, text: { textRef } });
}

/**
 * Before anything is done for a run: whether its sources are there, so that whoever started it with something else is told
 * at once; the step versions are pinned where it came without, and the prompts that its steps have elsewhere; and what an earlier run of the same id told is forgotten,
 * now that there is one in its place.
 */
async function admit(run: ReportRun): Promise<void> {
  const { runId, kind, stepVersions, engine } = run.input;
  const { search } = run.input;
  if (run.input.sourceCount === 0 && search === undefined) await firstSources(run);
  const { manifestRef, sourceCount } = givenSources(run);
  if (!isAtItsBeginning(run.carried)) return;
  const searching = search === undefined ? {} : { search };
  const request = { runId, manifestRef, sourceCount, engine, ...searching };
  const admission = await run.carryOut(activities.admitRun, request, 'look at the sources');
  if (admission.problems.length > 0) throw invalidInput(kind, admission.problems);
  // The run's facts have the same record, and so has the next history.
  if (Object.keys(stepVersions).length === 0) Object.assign(stepVersions, admission.stepVersions);
  const { formerLogBegunAt: begunAt, promptsRef } = admission;
  if (promptsRef !== undefined) run.usePrompts(promptsRef);
  if (begunAt !== null)
    await run.carryOut(shared.forgetFormerEvents, { runId, begunAt }, 'forget the run before');
}

/** Where the input names no sources, a message that came with the start does. */
async function firstSources(run: ReportRun): Promise<void> {
  await CancellationScope.nonCancellable(() => run.inbox.idle());
  const given = givenSources(run);
  Object.assign(run.input, given);
  if (given.sourceCount === 0)
    throw invalidInput(run.input.kind, [
      ...missingSources({}),
      'sources may also come by the message addSources, sent in one call with the start (signal-with-start)',
    ]);
}

async function findSources(run: ReportRun): Promise<void> {
  const { search } = run.input;
  if (search === undefined || (run.carried.search?.rounds ?? 0) > 0) return;
  const round = (): Promise<SettledSearch | null> =>
    searchRound(run, search, { pass: 'gather', validatedRef: null, ...goingOn(run) });
  const settled =
    givenSources(run).sourceCount === 0
      ? await round()
      : await orShortfall(run, round, (reason) =>
          run.addShortfall(
            `Nothing could be searched (${reason}): what is said rests on the sources that were given.`,
          ),
        );
  if (settled !== null) await joinFound(run, settled);
  endSearchRound(run);
  const { nothing } = settled ?? { nothing: 'the question has no words to search for' };
  if (givenSources(run).sourceCount > 0 || nothing === null) return;
  throw ApplicationFailure.nonRetryable(nothing, NOTHING_FOUND);
}

async function searchForGaps(run: ReportRun): Promise<void> {
  const { input, carried } = run;
  const validatedRef = validatedBefore(carried);
  if (input.search === undefined || validatedRef === null || isBudgetSpent(run)) return;
  const { search } = input;
  if ((carried.search?.rounds ?? 0) >= search.rounds) return;
  const settled = await orShortfall(
    run,
    () => searchRound(run, search, { pass: 'report', validatedRef, ...goingOn(run) }),
    (reason) => run.addShortfall(`What the findings leave open could not be searched for (${reason}).`),
  );
  if (settled !== null) await joinFound(run, settled);
  endSearchRound(run);
}

/** Lists what was found behind what there is. What a message adds meanwhile stands before it. */
async function joinFound(run: ReportRun, { manifestRef, sourceCount }: SettledSearch): Promise<void> {
  if (manifestRef === null) return;
  for (;;) {
    const before = givenSources(run);
    const givenRef = before.sourceCount === 0 ? null : before.manifestRef;
    const request = { runId: run.input.runId, manifestRef, sourceCount, givenRef };
    const admitted = await run.carryOut(computing.admitSources, request, 'list the sources');
    if (admitted.problems.length > 0) throw invalidInput(run.input.kind, admitted.problems);
    if (givenSources(run).sourceCount !== before.sourceCount) continue;
    run.carried.given = withAdded(before, admitted);
    return;
  }
}

function goingOn(run: ReportRun): { goOn: () => Promise<void> } {
  return { goOn: () => run.continueAsNewIfLong() };
}

interface Material {
  catalogue: Catalogue;
  outline: Outline;
  reading: Reading;
}

/**
 * Pass 3: findings held against further sources, section by section; then against each other, all at once. Findings that
 * could not be checked stay as they are, and are marked.
 */
async function crossReference(run: ReportRun, material: Material): Promise<ArtifactRef> {
  const { catalogue, outline, reading } = material;
  const checks = await checkedFindings(run, material);
  const sections = reading.sections.flatMap(({ id, findingsRef }) =>
    findingsRef === null
      ? []
      : [{ findingsRef, ...(checks.get(id) ?? { checksRef: null, unvalidated: false }) }],
  );
  const supportRef = reading.readingRef === undefined ? await soughtSupport(run, catalogue, sections) : null;
  const request = {
    run: run.facts,
    catalogueRef: catalogue.ref,
    outlineRef: outline.ref,
    sections,
    supportRef,
  };
  const reconciled = await orShortfall(
    run,
    () => run.carryOut(activities.reconcileFindings, request, 'reconcile'),
    (reason) =>
      run.addShortfall(
        `Pass 3 could not hold the findings against each other (${reason}), so they are not validated: repeats, conflicts and gaps were not looked for.`,
      ),
  );
  if (reconciled === null) return takeUnchecked(run, reading.sections);
  return keepValidated(run.carried, reconciled.validatedRef);
}

async function checkedFindings(run: ReportRun, material: Material): Promise<SectionChecks> {
  const { catalogue, outline, reading } = material;
  const { enableCrossReference } = run.input.synthesis;
  const { readingRef, sections } = reading;
  if (!enableCrossReference || readingRef === undefined) run.plan(outline.sections.length + 2);
  if (!enableCrossReference) return new Map();
  if (readingRef === undefined) return checkSections(run, material);
  return checkInGroups(run, { catalogueRef: catalogue.ref, outline, sections, readingRef });
}

async function checkSections(
  run: ReportRun,
  { catalogue, outline, reading: { sections, rankingRef } }: Material,
): Promise<SectionChecks> {
  const facts = { ...run.facts, synthesis: run.input.synthesis };
  const refs = { catalogueRef: catalogue.ref, outlineRef: outline.ref };
  const checks: SectionChecks = new Map();
  await eachSection(run, sections, async ({ id, findingsRef }, index) => {
    if (findingsRef === null) return;
    const request = { run: facts, ...refs, findingsRef, rankingRef, sectionId: id };
    const checked = await orShortfall(
      run,
      () => run.ask(activities.crossCheckSection, request, sectionPart(sections, index, 'check')),
      (reason) =>
        run.addShortfall(
          `Pass 3 could not check the findings of ${sectionName(sections, id)} against further sources (${reason}); they are marked.`,
        ),
    );
    checks.set(id, { checksRef: checked?.checksRef ?? null, unvalidated: checked === null });
  });
  return checks;
}

/** What further sources say of the major findings that lack support; null where they were not asked, or could not be. */
async function soughtSupport(
  run: ReportRun,
  catalogue: Catalogue,
  sections: { findingsRef: ArtifactRef; checksRef: ArtifactRef | null; unvalidated: boolean }[],
): Promise<ArtifactRef | null> {
  if (!run.input.synthesis.enableCrossReference) return null;
  const facts = { ...run.facts, synthesis: run.input.synthesis };
  const request = { run: facts, catalogueRef: catalogue.ref, sections };
  const sought = await orShortfall(
    run,
    () => run.ask(activities.seekSupport, request, 'seek support'),
    (reason) => run.addShortfall(`Pass 3 could not seek further support for the major findings (${reason}).`),
  );
  return sought?.supportRef ?? null;
}

/** By a section's id, what was made of the check of its findings; `unvalidated` where it was to be checked and could not. */
type SectionChecks = Map<string, { checksRef: ArtifactRef | null; unvalidated: boolean }>;

/**
 * Pass 3 of a model: all findings held against each other, and, where the sources did not fit into one call, against the groups of
 * sources that are nearest to them. Findings that could not be checked stay as they are, and are marked.
 */
async function checkInGroups(
  run: ReportRun,
  given: { catalogueRef: string; outline: Outline; sections: readonly FoundSection[]; readingRef: string },
): Promise<SectionChecks> {
  const { catalogueRef, outline, readingRef } = given;
  const outlineRef = outline.ref;
  const sections = given.sections.filter(({ findingsRef }) => findingsRef !== null);
  const findingsRefs = foundRefs(sections);
  const material = { run: run.facts, catalogueRef, findingsRefs };
  const planned = await run.carryOut(activities.planChecks, { ...material, readingRef }, 'plan the checks');
  const { checksPlanRef, calls } = planned;
  run.plan(calls + 3);
  const { atOnce } = shapeOfRun(run.input);
  let reason = '';
  const checked = await inParallel(Array.from({ length: calls }), atOnce, async (_, call) =>
    orShortfall(
      run,
      () =>
        run.ask(
          activities.checkGroup,
          { ...material, outlineRef, checksPlanRef, call },
          calls === 1 ? 'check' : `check ${call + 1}/${calls}`,
        ),
      (why) => void (reason = why),
    ),
  );
  const checksRefs = checked.map((group) => group?.checksRef ?? null);
  const request = { ...material, checksPlanRef, checksRefs };
  const settled = await run.carryOut(activities.settleChecks, request, 'sort the checks');
  const checks: SectionChecks = new Map();
  for (const [at, { id }] of sections.entries()) {
    const checksRef = settled.checksRefs[at] ?? null;
    checks.set(id, { checksRef, unvalidated: checksRef === null });
    if (checksRef === null) {
      await run.addShortfall(
        `Pass 3 could not check the findings of ${sectionName(outline.sections, id)} against further sources (${reason}); they are marked.`,
      );
    }
    run.finishPiece(id);
  }
  return checks;
}

/** Whether sources have come that were not read. With a spent budget they are left out, which the end of the run reports. */
async function hasMoreToRead(run: ReportRun): Promise<boolean> {
  await run.inbox.idle();
  return waitingSources(run) > 0 && !isBudgetSpent(run);
}

function isBudgetSpent({ input, carried }: ReportRun): boolean {
  return traitsOf(input.engine).asksModels && isSpent(carried.ledger);
}

/**
 * Gathers sources that came after the reading, and has the passes run once more over all sources: passes 2 to 4 over the same
 * outline, and pass 1 too where nothing answered before. Groups of sources that did not change are asked the same, so the response
 * cache answers them. False where nothing is left to read.
 */
async function repeatsPasses(run: ReportRun): Promise<boolean> {
  const { carried } = run;
  if (!(await hasMoreToRead(run))) return false;
  carried.addedRounds = (carried.addedRounds ?? 0) + 1;
  Object.assign(run.facts, { round: carried.addedRounds });
  if (carried.noAnswer !== true) {
    await joinOutline(run);
    carried.finishedPasses = ['gather', 'overview'];
    return true;
  }
  await gatherAdded(run);
  carried.finishedPasses = ['gather'];
  carried.sections = [];
  delete carried.noAnswer;
  delete carried.readingBegun;
  return true;
}
