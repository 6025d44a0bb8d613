import { CALL_SIZES } from '../../core/budget/call-estimates';
import { activities } from '../run/activities';
import { worstCase } from '../run/call-costs';
import { sectionName } from './each-section';
import { inParallel } from '../run/in-parallel';
import { foundRefs } from './kept-findings';
import { orFallShort } from '../run/or-fall-short';
import type { Run } from '../run/run';
import { shapeOfRun } from '../run/shape-of-run';

/**
 * Pass 3 by the groups of sources that pass 2 read: each finding held against the groups that are nearest to it. Findings that
 * could not be checked stay as they are, and are marked. Gives the plan that it went by, and whether
 * there is no source left that a finding was not held against.
 */
export async function checkInGroups(
  run: Run,
  refs: { catalogueRef: string; outlineRef: string; readingRef: string },
): Promise<{ checksPlanRef: string; isExhaustive: boolean }> {
  const { catalogueRef, outlineRef, readingRef } = refs;
  const sections = run.state.sections.filter(({ findingsRef }) => findingsRef !== null);
  const findingsRefs = foundRefs(sections);
  const material = { run: run.brief, catalogueRef, findingsRefs };
  const planned = await run.carryOut(activities.planChecks, { ...material, readingRef }, 'plan the checks');
  const { checksPlanRef, calls, largestChars } = planned;
  run.plan(calls + 4);
  const cost = worstCase(run, 'cross-reference', CALL_SIZES.checkGroup(largestChars));
  const { atOnce } = shapeOfRun(run.input, calls);
  let reason = '';
  const checked = await inParallel(Array.from({ length: calls }), atOnce, async (_, call) =>
    orFallShort(
      run,
      () =>
        run.ask(
          activities.checkGroup,
          { ...material, outlineRef, checksPlanRef, call },
          `sources ${call + 1}/${calls} · check`,
          cost,
        ),
      (why) => void (reason = why),
    ),
  );
  const checksRefs = checked.map((group) => group?.checksRef ?? null);
  const request = { ...material, checksPlanRef, checksRefs };
  const settled = await run.carryOut(activities.settleChecks, request, 'sort the checks');
  for (const [at, section] of sections.entries()) {
    section.checksRef = settled.checksRefs[at] ?? null;
    section.unvalidated = section.checksRef === null;
    if (section.unvalidated) {
      await run.fallShort(
        `Pass 3 could not check the findings of ${sectionName(run, section)} against further sources (${reason}); they are marked.`,
      );
    }
    run.finishSection(section.id);
  }
  return { checksPlanRef, isExhaustive: settled.isExhaustive };
}
