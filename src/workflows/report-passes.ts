import { ApplicationFailure, CancellationScope } from '@temporalio/workflow';
import type { SettledSearch } from '../activities/search-results';
import { isOverBudget } from '../contracts/budget';
import { capabilitiesOf } from '../contracts/pipeline';
import type { ArtifactRef } from '../contracts/source';
import { invalidInput } from './input';
import {
  deepDive,
  forEachSection,
  markUnvalidated,
  sectionFindingsRefs,
  sectionLabel,
  sectionName,
} from './report-findings';
import {
  applyInputOutline,
  assignAddedSources,
  finalizeOutline,
  gatherAddedSources,
  gatherSources,
  planOverview,
} from './report-outline';
import {
  appendSources,
  type Catalogue,
  inputSources,
  missingSourceProblems,
  type Outline,
  pendingSourceCount,
  type ReadingResult,
  reportActivities,
  type ReportRun,
  requireArtifact,
  saveValidated,
  type SectionResult,
  storedCatalogue,
  storedOutline,
  storedReading,
  storedValidatedRef,
} from './report-state';
import { judgeReport, quoteFindings, writeText } from './report-writing';
import { mapParallel, orShortfall } from './run-parts';
import { isNewRun } from './run-state';
import { endSearchRound, runSearchRound } from './search-round';
import { computeActivities, runShape, sharedActivities as shared } from './steps';

const NOTHING_FOUND = 'NothingFound';

export async function runPasses(run: ReportRun): Promise<void> {
  await prepareReport(run);
  do await runPassesOnce(run);
  while (await prepareNextRound(run));
  run.carried.closing = true;
}

async function runPassesOnce(run: ReportRun): Promise<void> {
  const { carried } = run;
  await run.pass(
    'gather',
    async () => {
      await searchSources(run);
      return gatherSources(run);
    },
    () => storedCatalogue(carried),
  );
  await run.pass(
    'overview',
    async () => {
      const gathered = await gatherAddedSources(run);
      const { wantedOutlineRef } = carried;
      if (wantedOutlineRef === undefined) await planOverview(run, gathered);
      else await applyInputOutline(run, wantedOutlineRef);
    },
    () => undefined,
  );
  await finalizeOutline(run);
  const catalogue = storedCatalogue(carried);
  const outline = storedOutline(carried);
  const reading = await run.pass(
    'deep-dive',
    () => deepDive(run, catalogue, outline),
    () => storedReading(carried),
  );
  const validatedRef = run.input.synthesis.enableMultiPass
    ? await run.pass(
        'cross-reference',
        async () => reading && crossReference(run, { catalogue, outline, reading }),
        () => storedValidatedRef(carried),
      )
    : reading && requireArtifact(reading.validatedRef ?? null, 'validatedRef');
  await run.pass(
    'report',
    async () => {
      if (!reading || !validatedRef) return;
      if (!(await hasUnreadSources(run))) await searchForGaps(run);
      if (await hasUnreadSources(run)) return;
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
    sections: readonly SectionResult[];
    validatedRef: ArtifactRef;
  },
): Promise<void> {
  const { catalogue, outline, sections, validatedRef } = given;
  const refs = { catalogueRef: catalogue.ref, outlineRef: outline.ref, validatedRef };
  const textRef = capabilitiesOf(run.input.engine).asksModels ? await writeText(run, refs) : null;
  if (textRef === null) await quoteFindings(run, refs, sections);
  else await judgeReport(run, { refs, text: { textRef } });
}

/** Validates and pins the input, and deletes the events of an earlier run with the same id. */
async function prepareReport(run: ReportRun): Promise<void> {
  const { runId, kind, stepVersions, engine } = run.input;
  const { search } = run.input;
  if (run.input.sourceCount === 0 && search === undefined) await awaitFirstSources(run);
  const { manifestRef, sourceCount } = inputSources(run);
  if (!isNewRun(run.carried)) return;
  const searching = search === undefined ? {} : { search };
  const request = { runId, manifestRef, sourceCount, engine, ...searching };
  const admission = await run.carryOut(reportActivities.admitRun, request, 'look at the sources');
  if (admission.problems.length > 0) throw invalidInput(kind, admission.problems);
  // Changed in place, because the run's facts and the input of the next history share this object.
  if (Object.keys(stepVersions).length === 0) Object.assign(stepVersions, admission.stepVersions);
  const { formerLogBegunAt: begunAt, promptsRef } = admission;
  if (promptsRef !== undefined) run.usePrompts(promptsRef);
  if (begunAt !== null)
    await run.carryOut(shared.forgetFormerEvents, { runId, begunAt }, 'forget the run before');
}

/** Takes sources from a message sent with the start if the input has none. */
async function awaitFirstSources(run: ReportRun): Promise<void> {
  await CancellationScope.nonCancellable(() => run.inbox.idle());
  const given = inputSources(run);
  Object.assign(run.input, given);
  if (given.sourceCount === 0)
    throw invalidInput(run.input.kind, [
      ...missingSourceProblems({}),
      'sources may also come by the message addSources, sent in one call with the start (signal-with-start)',
    ]);
}

async function searchSources(run: ReportRun): Promise<void> {
  const { search } = run.input;
  if (search === undefined || (run.carried.search?.rounds ?? 0) > 0) return;
  const round = (): Promise<SettledSearch | null> =>
    runSearchRound(run, search, { pass: 'gather', validatedRef: null, ...continueAsNewOption(run) });
  const settled =
    inputSources(run).sourceCount === 0
      ? await round()
      : await orShortfall(run, round, (reason) =>
          run.addShortfall(
            `Nothing could be searched (${reason}): what is said rests on the sources that were given.`,
          ),
        );
  if (settled !== null) await addFoundSources(run, settled);
  endSearchRound(run);
  const { nothing } = settled ?? { nothing: 'the question has no words to search for' };
  if (inputSources(run).sourceCount > 0 || nothing === null) return;
  throw ApplicationFailure.nonRetryable(nothing, NOTHING_FOUND);
}

async function searchForGaps(run: ReportRun): Promise<void> {
  const { input, carried } = run;
  const validatedRef = storedValidatedRef(carried);
  if (input.search === undefined || validatedRef === null || isBudgetSpent(run)) return;
  const { search } = input;
  if ((carried.search?.rounds ?? 0) >= search.rounds) return;
  const settled = await orShortfall(
    run,
    () => runSearchRound(run, search, { pass: 'report', validatedRef, ...continueAsNewOption(run) }),
    (reason) => run.addShortfall(`What the findings leave open could not be searched for (${reason}).`),
  );
  if (settled !== null) await addFoundSources(run, settled);
  endSearchRound(run);
}

/** Repeats the join if a message adds sources meanwhile. */
async function addFoundSources(run: ReportRun, { manifestRef, sourceCount }: SettledSearch): Promise<void> {
  if (manifestRef === null) return;
  for (;;) {
    const before = inputSources(run);
    const givenRef = before.sourceCount === 0 ? null : before.manifestRef;
    const request = { runId: run.input.runId, manifestRef, sourceCount, givenRef };
    const admitted = await run.carryOut(computeActivities.admitSources, request, 'list the sources');
    if (admitted.problems.length > 0) throw invalidInput(run.input.kind, admitted.problems);
    if (inputSources(run).sourceCount !== before.sourceCount) continue;
    run.carried.given = appendSources(before, admitted);
    return;
  }
}

function continueAsNewOption(run: ReportRun): { goOn: () => Promise<void> } {
  return { goOn: () => run.continueAsNewIfLong() };
}

interface ReportMaterial {
  catalogue: Catalogue;
  outline: Outline;
  reading: ReadingResult;
}

/** Pass 3: findings against further sources, then against each other. Unchecked findings are marked. */
async function crossReference(run: ReportRun, material: ReportMaterial): Promise<ArtifactRef> {
  const { catalogue, outline, reading } = material;
  const checks = await checkFindings(run, material);
  const sections = reading.sections.flatMap(({ id, findingsRef }) =>
    findingsRef === null
      ? []
      : [{ findingsRef, ...(checks.get(id) ?? { checksRef: null, unvalidated: false }) }],
  );
  const supportRef = reading.readingRef === undefined ? await seekSupport(run, catalogue, sections) : null;
  const request = {
    run: run.facts,
    catalogueRef: catalogue.ref,
    outlineRef: outline.ref,
    sections,
    supportRef,
  };
  const reconciled = await orShortfall(
    run,
    () => run.carryOut(reportActivities.reconcileFindings, request, 'reconcile'),
    (reason) =>
      run.addShortfall(
        `Pass 3 could not hold the findings against each other (${reason}), so they are not validated: repeats, conflicts and gaps were not looked for.`,
      ),
  );
  if (reconciled === null) return markUnvalidated(run, reading.sections);
  return saveValidated(run.carried, reconciled.validatedRef);
}

async function checkFindings(run: ReportRun, material: ReportMaterial): Promise<SectionChecks> {
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
  { catalogue, outline, reading: { sections, rankingRef } }: ReportMaterial,
): Promise<SectionChecks> {
  const facts = { ...run.facts, synthesis: run.input.synthesis };
  const refs = { catalogueRef: catalogue.ref, outlineRef: outline.ref };
  const checks: SectionChecks = new Map();
  await forEachSection(run, sections, async ({ id, findingsRef }, index) => {
    if (findingsRef === null) return;
    const request = { run: facts, ...refs, findingsRef, rankingRef, sectionId: id };
    const checked = await orShortfall(
      run,
      () => run.ask(reportActivities.crossCheckSection, request, sectionLabel(sections, index, 'check')),
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
async function seekSupport(
  run: ReportRun,
  catalogue: Catalogue,
  sections: { findingsRef: ArtifactRef; checksRef: ArtifactRef | null; unvalidated: boolean }[],
): Promise<ArtifactRef | null> {
  if (!run.input.synthesis.enableCrossReference) return null;
  const facts = { ...run.facts, synthesis: run.input.synthesis };
  const request = { run: facts, catalogueRef: catalogue.ref, sections };
  const sought = await orShortfall(
    run,
    () => run.ask(reportActivities.seekSupport, request, 'seek support'),
    (reason) => run.addShortfall(`Pass 3 could not seek further support for the major findings (${reason}).`),
  );
  return sought?.supportRef ?? null;
}

/** By section id; `unvalidated` if the check failed. */
type SectionChecks = Map<string, { checksRef: ArtifactRef | null; unvalidated: boolean }>;

/** Checks all findings together, and against the nearest groups if the sources exceed one call. */
async function checkInGroups(
  run: ReportRun,
  given: { catalogueRef: string; outline: Outline; sections: readonly SectionResult[]; readingRef: string },
): Promise<SectionChecks> {
  const { catalogueRef, outline, readingRef } = given;
  const outlineRef = outline.ref;
  const sections = given.sections.filter(({ findingsRef }) => findingsRef !== null);
  const findingsRefs = sectionFindingsRefs(sections);
  const material = { run: run.facts, catalogueRef, findingsRefs };
  const planned = await run.carryOut(
    reportActivities.planChecks,
    { ...material, readingRef },
    'plan the checks',
  );
  const { checksPlanRef, calls } = planned;
  run.plan(calls + 3);
  const { atOnce } = runShape(run.input);
  let reason = '';
  const checked = await mapParallel(Array.from({ length: calls }), atOnce, async (_, call) =>
    orShortfall(
      run,
      () =>
        run.ask(
          reportActivities.checkGroup,
          { ...material, outlineRef, checksPlanRef, call },
          calls === 1 ? 'check' : `check ${call + 1}/${calls}`,
        ),
      (why) => void (reason = why),
    ),
  );
  const checksRefs = checked.map((group) => group?.checksRef ?? null);
  const request = { ...material, checksPlanRef, checksRefs };
  const settled = await run.carryOut(reportActivities.settleChecks, request, 'sort the checks');
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

/** True if added sources wait. False if the budget is spent; the run then reports the unread sources at its end. */
async function hasUnreadSources(run: ReportRun): Promise<boolean> {
  await run.inbox.idle();
  return pendingSourceCount(run) > 0 && !isBudgetSpent(run);
}

function isBudgetSpent({ input, carried }: ReportRun): boolean {
  return capabilitiesOf(input.engine).asksModels && isOverBudget(carried.ledger);
}

/**
 * Returns false if no added sources wait. Else passes 2 to 4 run again, and pass 1 too if no source answered the
 * question before.
 */
async function prepareNextRound(run: ReportRun): Promise<boolean> {
  const { carried } = run;
  if (!(await hasUnreadSources(run))) return false;
  carried.addedRounds = (carried.addedRounds ?? 0) + 1;
  Object.assign(run.facts, { round: carried.addedRounds });
  if (carried.noAnswer !== true) {
    await assignAddedSources(run);
    carried.finishedPasses = ['gather', 'overview'];
    return true;
  }
  await gatherAddedSources(run);
  carried.finishedPasses = ['gather'];
  carried.sections = [];
  delete carried.noAnswer;
  delete carried.readingBegun;
  return true;
}
