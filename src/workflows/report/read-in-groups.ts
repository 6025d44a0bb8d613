import { patched } from '@temporalio/workflow';
import type { RunBrief } from '../../activities/shared/ports';
import { traitsOf } from '../../contracts/run/engines';
import { CALL_SIZES } from '../../core/budget/call-estimates';
import { activities } from '../run/activities';
import { worstCase } from '../run/call-costs';
import { sectionName } from './each-section';
import { inParallel } from '../run/in-parallel';
import { orFallShort } from '../run/or-fall-short';
import type { Run } from '../run/run';
import { shapeOfRun } from '../run/shape-of-run';
import type { SectionState } from '../run/run-state';

/** What pass 2 reads from, with what the budget allows of it. */
export interface SectionReading {
  brief: RunBrief;
  catalogueRef: string;
  outlineRef: string;
}

/** A section whose sources could not be read, and why. */
export interface SectionFailure {
  section: SectionState;
  reason: string;
}

/** What a model is sent is paid for, so it reads sources that sections share once for all of them. */
export function readsInGroups({ input }: Run): boolean {
  return traitsOf(input.engine).readsInGroups && patched('reading-groups');
}

/**
 * Pass 2 by groups of sources, each read for all sections that it serves. A section that nothing could be read for has what
 * its summaries say. How many findings there are.
 */
export async function readInGroups(
  run: Run,
  { brief, catalogueRef, outlineRef }: SectionReading,
  failures: SectionFailure[],
): Promise<number> {
  const refs = { run: brief, catalogueRef, outlineRef };
  const { readingRef, calls, largestChars } = await run.carryOut(
    activities.planReading,
    refs,
    'plan the reading',
  );
  run.state.readingRef = readingRef;
  run.plan(calls + 2);
  const cost = worstCase(run, 'deep-dive', CALL_SIZES.extractGroup(largestChars));
  const { atOnce } = shapeOfRun(run.input, calls);
  let reason = '';
  const read = await inParallel(Array.from({ length: calls }), atOnce, async (_, call) =>
    orFallShort(
      run,
      () =>
        run.ask(
          activities.extractGroup,
          { ...refs, readingRef, call },
          `sources ${call + 1}/${calls} · extract`,
          cost,
        ),
      (why) => void (reason = why),
    ),
  );
  const groupRefs = read.map((group) => group?.groupRef ?? null);
  const settled = await run.carryOut(
    activities.settleFindings,
    { run: brief, outlineRef, readingRef, groupRefs },
    'sort the findings',
  );
  run.state.rankingRef = settled.rankingRef;
  let findings = 0;
  for (const section of run.state.sections) {
    const found = settled.sections.find(({ sectionId }) => sectionId === section.id);
    section.findingsRef = found?.findingsRef ?? null;
    let count = found?.findings ?? 0;
    if (found !== undefined && found.missed > 0) {
      if (count === 0) {
        const request = { run: run.brief, catalogueRef, outlineRef, sectionId: section.id };
        const taken = await run.carryOut(activities.takeSummaries, request, 'take summaries');
        section.findingsRef = taken.findingsRef;
        count = taken.findings;
        failures.push({ section, reason });
      } else {
        await run.fallShort(
          `Pass 2 could not read some of the sources of ${sectionName(run, section)} (${reason}).`,
        );
      }
    }
    findings += count;
    run.finishSection(section.id);
  }
  return findings;
}
