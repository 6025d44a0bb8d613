import type { ArtifactRef } from '../../contracts/run/artifact';
import { orShortfall } from '../run/shortfall';
import { activities } from './activities';
import {
  keepValidated,
  type Catalogue,
  type Outline,
  type Reading,
  type FoundSection,
  type ReportRun,
} from './carried-report';
import { eachSection, sectionName, sectionPart } from './each-section';
import { takeUnchecked, foundRefs } from './deep-dive';
import { QUOTING_ENGINE, traitsOf } from '../../contracts/run/engines';
import type {
  ReconciledFindings,
  ReconcileFindingsInput,
} from '../../activities/report/cross-reference/reconcile-findings';
import { inParallel } from '../run/in-parallel';
import { shapeOfRun } from '../run/batches';

interface Material {
  catalogue: Catalogue;
  outline: Outline;
  reading: Reading;
}

interface Checked {
  checks: SectionChecks;
  checksPlanRef?: ArtifactRef;
  /** True where there is no source left that a finding was not held against. */
  isExhaustive?: boolean;
}

/**
 * Pass 3: findings held against further sources, section by section; then against each other, all at once. Findings that
 * could not be checked stay as they are, and are marked.
 */
export async function crossReference(run: ReportRun, material: Material): Promise<ArtifactRef> {
  const { catalogue, outline, reading } = material;
  const { checks, checksPlanRef, isExhaustive = false } = await checkedFindings(run, material);
  const sections = reading.sections.flatMap(({ id, findingsRef }) =>
    findingsRef === null
      ? []
      : [{ findingsRef, ...(checks.get(id) ?? { checksRef: null, unvalidated: false }) }],
  );
  const supportRef = isExhaustive ? null : await soughtSupport(run, { catalogue, sections, checksPlanRef });
  const request = {
    run: run.facts,
    catalogueRef: catalogue.ref,
    outlineRef: outline.ref,
    sections,
    supportRef,
  };
  const reconciled = await orShortfall(
    run,
    () => reconcile(run, request),
    (reason) =>
      run.addShortfall(
        `Pass 3 could not hold the findings against each other (${reason}), so they are not validated: repeats, conflicts and gaps were not looked for.`,
      ),
  );
  if (reconciled === null) return takeUnchecked(run, reading.sections);
  return keepValidated(run.carried, reconciled.validatedRef);
}

const BY_WORDS = 'only what words alone find to agree or to contradict each other counts';

/**
 * Where a model named agreements and contradictions, a critic confirms them within the budget. Where no critic can be asked, words
 * alone decide.
 */
async function reconcile(run: ReportRun, request: ReconcileFindingsInput): Promise<ReconciledFindings> {
  const { reconcileFindings } = activities;
  if (!traitsOf(run.input.engine).asksModels) return run.carryOut(reconcileFindings, request, 'reconcile');
  const confirming = { ...request, confirms: true as const };
  const reconciled = await run.askModel(reconcileFindings, confirming, 'reconcile', BY_WORDS);
  if (reconciled !== null) return reconciled;
  const byWords: ReconcileFindingsInput = {
    ...confirming,
    run: { ...confirming.run, engine: QUOTING_ENGINE, models: null },
  };
  return run.carryOut(reconcileFindings, byWords, 'reconcile · without a model');
}

async function checkedFindings(run: ReportRun, material: Material): Promise<Checked> {
  const { catalogue, outline, reading } = material;
  const { enableCrossReference } = run.input.synthesis;
  const { readingRef, sections } = reading;
  if (!enableCrossReference || readingRef === undefined) run.plan(outline.sections.length + 2);
  if (!enableCrossReference) return { checks: new Map() };
  if (readingRef === undefined) return { checks: await checkSections(run, material) };
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
  {
    catalogue,
    sections,
    checksPlanRef,
  }: {
    catalogue: Catalogue;
    sections: { findingsRef: ArtifactRef; checksRef: ArtifactRef | null; unvalidated: boolean }[];
    checksPlanRef: ArtifactRef | undefined;
  },
): Promise<ArtifactRef | null> {
  if (!run.input.synthesis.enableCrossReference) return null;
  const facts = { ...run.facts, synthesis: run.input.synthesis };
  const request = {
    run: facts,
    catalogueRef: catalogue.ref,
    sections,
    ...(checksPlanRef === undefined ? {} : { checksPlanRef }),
  };
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
 * Pass 3 by the groups of sources that pass 2 read: each finding held against the groups that are nearest to it. Findings that
 * could not be checked stay as they are, and are marked. Gives what was found of each, the plan that it went by, and whether there
 * is no source left that a finding was not held against.
 */
async function checkInGroups(
  run: ReportRun,
  given: { catalogueRef: string; outline: Outline; sections: readonly FoundSection[]; readingRef: string },
): Promise<{ checks: SectionChecks; checksPlanRef: string; isExhaustive: boolean }> {
  const { catalogueRef, outline, readingRef } = given;
  const outlineRef = outline.ref;
  const sections = given.sections.filter(({ findingsRef }) => findingsRef !== null);
  const findingsRefs = foundRefs(sections);
  const material = { run: run.facts, catalogueRef, findingsRefs };
  const planned = await run.carryOut(activities.planChecks, { ...material, readingRef }, 'plan the checks');
  const { checksPlanRef, calls } = planned;
  run.plan(calls + 4);
  const { atOnce } = shapeOfRun(run.input);
  let reason = '';
  const checked = await inParallel(Array.from({ length: calls }), atOnce, async (_, call) =>
    orShortfall(
      run,
      () =>
        run.ask(
          activities.checkGroup,
          { ...material, outlineRef, checksPlanRef, call },
          `sources ${call + 1}/${calls} · check`,
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
  return { checks, checksPlanRef, isExhaustive: settled.isExhaustive };
}
