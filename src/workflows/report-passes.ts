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
      if (await hasMoreToRead(run)) return;
      await writeReport(run, { catalogue, outline, sections: reading.sections, validatedRef });
    },
    () => undefined,
  );
}

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

/** Validates and pins the input, and deletes the events of an earlier run with the same id. */
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
  // The run's facts and the next history share this object.
  if (Object.keys(stepVersions).length === 0) Object.assign(stepVersions, admission.stepVersions);
  const { formerLogBegunAt: begunAt, promptsRef } = admission;
  if (promptsRef !== undefined) run.usePrompts(promptsRef);
  if (begunAt !== null)
    await run.carryOut(shared.forgetFormerEvents, { runId, begunAt }, 'forget the run before');
}

/** Takes sources from a message sent with the start if the input has none. */
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

/** A message may change the list meanwhile; then it is joined again. */
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

/** Pass 3: findings against further sources, then against each other. Unchecked findings are marked. */
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

/** Null if disabled or failed. */
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

/** By section id; `unvalidated` if the check failed. */
type SectionChecks = Map<string, { checksRef: ArtifactRef | null; unvalidated: boolean }>;

/** Checks all findings together, and against the nearest groups if the sources exceed one call. */
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

/** Sources that a spent budget leaves unread are reported at the end. */
async function hasMoreToRead(run: ReportRun): Promise<boolean> {
  await run.inbox.idle();
  return waitingSources(run) > 0 && !isBudgetSpent(run);
}

function isBudgetSpent({ input, carried }: ReportRun): boolean {
  return traitsOf(input.engine).asksModels && isSpent(carried.ledger);
}

/** Sources came late, so passes 2 to 4 run again, and pass 1 too if nothing answered before. */
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
