import { CALL_SIZES } from '../core/call-estimates';
import { activities } from './activities';
import { withinBudget } from './call-costs';
import { eachSection, sectionName, sectionPart } from './each-section';
import { keepFindings } from './kept-findings';
import { orFallShort } from './or-fall-short';
import type { Run } from './run';
import { partOf } from './run-state';

/**
 * Pass 3: findings held against further sources, section by section; then against each other, all at once. Findings that
 * could not be checked stay as they are, and are marked.
 */
export async function crossReference(run: Run): Promise<void> {
  if (run.state.noAnswer === true) return;
  const { sections } = run.state;
  const catalogue = partOf(run.state, 'catalogue');
  const outline = partOf(run.state, 'outline');
  run.plan(sections.length + 2);
  if (run.input.synthesis.enableCrossReference) await checkSections(run, catalogue.ref, outline.ref);
  const found = sections.flatMap(({ findingsRef, checksRef, unvalidated }) =>
    findingsRef === null ? [] : [{ findingsRef, checksRef, unvalidated }],
  );
  const supportRef = await soughtSupport(run, catalogue.ref, found);
  const request = {
    run: run.brief,
    catalogueRef: catalogue.ref,
    outlineRef: outline.ref,
    sections: found,
    supportRef,
  };
  const reconciled = await orFallShort(
    run,
    () => run.carryOut(activities.reconcileFindings, request, 'reconcile'),
    (reason) =>
      run.fallShort(
        `Pass 3 could not hold the findings against each other (${reason}), so they are not validated: repeats, conflicts and gaps were not looked for.`,
      ),
  );
  if (reconciled === null) await keepFindings(run);
  else run.state.validatedRef = reconciled.validatedRef;
}

async function checkSections(run: Run, catalogueRef: string, outlineRef: string): Promise<void> {
  const { sections, rankingRef } = run.state;
  const { brief, cost } = await withinBudget(run, 'cross-reference', CALL_SIZES.crossCheck, {
    settings: run.input.synthesis,
    share: 1,
    calls: sections.length,
  });
  await eachSection(run, async (section, index) => {
    const { id: sectionId, findingsRef } = section;
    if (findingsRef === null) return;
    const request = { run: brief, catalogueRef, outlineRef, findingsRef, rankingRef, sectionId };
    const checked = await orFallShort(
      run,
      () => run.ask(activities.crossCheckSection, request, sectionPart(sections, index, 'check'), cost),
      (reason) =>
        run.fallShort(
          `Pass 3 could not check the findings of ${sectionName(run, section)} against further sources (${reason}); they are marked.`,
        ),
    );
    section.checksRef = checked?.checksRef ?? null;
    section.unvalidated = checked === null;
  });
}

/** What further sources say of the major findings that lack support; null where they were not asked, or could not be. */
async function soughtSupport(
  run: Run,
  catalogueRef: string,
  sections: { findingsRef: string; checksRef: string | null }[],
): Promise<string | null> {
  if (!run.input.synthesis.enableCrossReference) return null;
  const { brief, cost } = await withinBudget(run, 'cross-reference', CALL_SIZES.crossCheck, {
    settings: run.input.synthesis,
    share: 1,
    calls: 1,
  });
  const sought = await orFallShort(
    run,
    () => run.ask(activities.seekSupport, { run: brief, catalogueRef, sections }, 'seek support', cost),
    (reason) => run.fallShort(`Pass 3 could not seek further support for the major findings (${reason}).`),
  );
  return sought?.supportRef ?? null;
}
