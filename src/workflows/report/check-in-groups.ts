import type { ArtifactRef } from '../../contracts/run/artifact';
import { CALL_SIZES } from '../../core/budget/call-estimates';
import { activities } from './activities';
import { worstCase } from '../run/call-costs';
import { sectionName } from './each-section';
import { inParallel } from '../run/in-parallel';
import { foundRefs } from './findings-unchecked';
import type { FoundSection, Outline } from './pass-artifacts';
import { orShortfall } from '../run/shortfall';
import type { ReportRun } from './report-run';
import { shapeOfRun } from '../run/shape-of-run';

/** By a section's id, what was made of the check of its findings; `unvalidated` where it was to be checked and could not. */
export type SectionChecks = Map<string, { checksRef: ArtifactRef | null; unvalidated: boolean }>;

/**
 * Pass 3 by the groups of sources that pass 2 read: each finding held against the groups that are nearest to it. Findings that
 * could not be checked stay as they are, and are marked. Gives what was found of each, the plan that it went by, and whether there
 * is no source left that a finding was not held against.
 */
export async function checkInGroups(
  run: ReportRun,
  given: { catalogueRef: string; outline: Outline; sections: readonly FoundSection[]; readingRef: string },
): Promise<{ checks: SectionChecks; checksPlanRef: string; isExhaustive: boolean }> {
  const { catalogueRef, outline, readingRef } = given;
  const outlineRef = outline.ref;
  const sections = given.sections.filter(({ findingsRef }) => findingsRef !== null);
  const findingsRefs = foundRefs(sections);
  const material = { run: run.brief, catalogueRef, findingsRefs };
  const planned = await run.carryOut(activities.planChecks, { ...material, readingRef }, 'plan the checks');
  const { checksPlanRef, calls, largestChars } = planned;
  run.plan(calls + 4);
  const cost = worstCase(run, 'cross-reference', CALL_SIZES.checkGroup(largestChars));
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
          cost,
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
