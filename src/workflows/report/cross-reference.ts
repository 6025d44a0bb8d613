import { CALL_SIZES } from '../../core/budget/call-estimates';
import { activities } from '../run/activities';
import { checkInGroups } from './check-in-groups';
import { withinBudget } from '../run/call-costs';
import { eachSection, sectionName, sectionPart } from './each-section';
import { keepFindings } from './kept-findings';
import { orFallShort } from '../run/or-fall-short';
import type { Run } from '../run/run';
import { partOf } from '../run/run-state';

/**
 * Pass 3: findings held against further sources, section by section; then against each other, all at once. Findings that
 * could not be checked stay as they are, and are marked.
 */
export async function crossReference(run: Run): Promise<void> {
  if (run.state.noAnswer === true) return;
  const { sections, readingRef } = run.state;
  const catalogue = partOf(run.state, 'catalogue');
  const outline = partOf(run.state, 'outline');
  const refs = { catalogueRef: catalogue.ref, outlineRef: outline.ref };
  let inGroups: { checksPlanRef: string; isExhaustive: boolean } | null = null;
  if (!run.input.synthesis.enableCrossReference || readingRef === undefined) run.plan(sections.length + 2);
  if (run.input.synthesis.enableCrossReference) {
    if (readingRef === undefined) await checkSections(run, refs.catalogueRef, refs.outlineRef);
    else inGroups = await checkInGroups(run, { ...refs, readingRef });
  }
  const found = sections.flatMap(({ findingsRef, checksRef, unvalidated }) =>
    findingsRef === null ? [] : [{ findingsRef, checksRef, unvalidated }],
  );
  const seeks = { catalogueRef: catalogue.ref, sections: found, checksPlanRef: inGroups?.checksPlanRef };
  const supportRef = inGroups?.isExhaustive === true ? null : await soughtSupport(run, seeks);
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
  {
    checksPlanRef,
    ...refs
  }: {
    catalogueRef: string;
    sections: { findingsRef: string; checksRef: string | null }[];
    checksPlanRef: string | undefined;
  },
): Promise<string | null> {
  if (!run.input.synthesis.enableCrossReference) return null;
  const { brief, cost } = await withinBudget(run, 'cross-reference', CALL_SIZES.crossCheck, {
    settings: run.input.synthesis,
    share: 1,
    calls: 1,
  });
  const request = { run: brief, ...refs, ...(checksPlanRef === undefined ? {} : { checksPlanRef }) };
  const sought = await orFallShort(
    run,
    () => run.ask(activities.seekSupport, request, 'seek support', cost),
    (reason) => run.fallShort(`Pass 3 could not seek further support for the major findings (${reason}).`),
  );
  return sought?.supportRef ?? null;
}
