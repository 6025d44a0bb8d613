import { CALL_SIZES } from '../../core/budget/call-estimates';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { orShortfall } from '../run/shortfall';
import { activities } from './activities';
import { withinBudget } from './call-budget';
import { keepValidated } from './carried-report';
import { checkInGroups, type SectionChecks } from './check-in-groups';
import { eachSection, sectionName, sectionPart } from './each-section';
import { takeUnchecked } from './findings-unchecked';
import { reconcileNamed } from './reconcile-named';
import type { Catalogue, Outline, Reading } from './pass-artifacts';
import type { ReportRun } from './report-run';

/** What the findings are held against. */
interface Material {
  catalogue: Catalogue;
  outline: Outline;
  reading: Reading;
}

/** What checks came to, and where they went by groups of sources the plan of them. */
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
    run: run.brief,
    catalogueRef: catalogue.ref,
    outlineRef: outline.ref,
    sections,
    supportRef,
  };
  const reconciled = await orShortfall(
    run,
    () => reconcileNamed(run, activities.reconcileFindings, request, 'reconcile'),
    (reason) =>
      run.addShortfall(
        `Pass 3 could not hold the findings against each other (${reason}), so they are not validated: repeats, conflicts and gaps were not looked for.`,
      ),
  );
  if (reconciled === null) return takeUnchecked(run, reading.sections);
  return keepValidated(run.carried, reconciled.validatedRef);
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
  const { brief, cost } = await withinBudget(run, 'cross-reference', CALL_SIZES.crossCheck, {
    catalogue,
    settings: run.input.synthesis,
    share: 1,
    calls: sections.length,
  });
  const refs = { catalogueRef: catalogue.ref, outlineRef: outline.ref };
  const checks: SectionChecks = new Map();
  await eachSection(run, sections, async ({ id, findingsRef }, index) => {
    if (findingsRef === null) return;
    const request = { run: brief, ...refs, findingsRef, rankingRef, sectionId: id };
    const checked = await orShortfall(
      run,
      () => run.ask(activities.crossCheckSection, request, sectionPart(sections, index, 'check'), cost),
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
  const { brief, cost } = await withinBudget(run, 'cross-reference', CALL_SIZES.crossCheck, {
    catalogue,
    settings: run.input.synthesis,
    share: 1,
    calls: 1,
  });
  const request = {
    run: brief,
    catalogueRef: catalogue.ref,
    sections,
    ...(checksPlanRef === undefined ? {} : { checksPlanRef }),
  };
  const sought = await orShortfall(
    run,
    () => run.ask(activities.seekSupport, request, 'seek support', cost),
    (reason) => run.addShortfall(`Pass 3 could not seek further support for the major findings (${reason}).`),
  );
  return sought?.supportRef ?? null;
}
