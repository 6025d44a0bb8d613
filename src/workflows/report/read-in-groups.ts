import { deprecatePatch } from '@temporalio/workflow';
import type { RunBrief } from '../../activities/shared/ports';
import { traitsOf } from '../../contracts/run/engines';
import { CALL_SIZES } from '../../core/budget/call-estimates';
import { activities } from './activities';
import { worstCase } from '../run/call-costs';
import { sectionName } from './each-section';
import { inParallel } from '../run/in-parallel';
import { orShortfall } from '../run/shortfall';
import type { ReportRun } from './report-run';
import { shapeOfRun } from '../run/shape-of-run';
import { keepOfSection } from './carried-report';
import { READS_IN_GROUPS } from './in-histories';
import type { FoundSection, Outline, OutlinedSection, Reading } from './pass-artifacts';

/** What pass 2 reads from, with what the budget allows of it. */
export interface ReadFrom {
  brief: RunBrief;
  catalogueRef: string;
  outline: Outline;
}

/** What the sections have come to: how many findings there are, and what could not be read. */
export interface SectionsRead {
  sections: FoundSection[];
  findings: number;
  failures: SectionFailure[];
}

/** A section whose sources could not be read, and why. */
export interface SectionFailure {
  section: OutlinedSection;
  reason: string;
}

/** What a model is sent is paid for, so it reads sources that sections share once for all of them. */
export function readsInGroups({ input }: ReportRun): boolean {
  const inGroups = traitsOf(input.engine).readsInGroups;
  if (inGroups) deprecatePatch(READS_IN_GROUPS);
  return inGroups;
}

/**
 * Pass 2 by groups of sources, each read for all sections that it serves. A section that nothing could be read for has what
 * its summaries say.
 */
export async function readInGroups(
  run: ReportRun,
  { brief, catalogueRef, outline }: ReadFrom,
): Promise<SectionsRead & Pick<Reading, 'rankingRef' | 'readingRef'>> {
  const outlineRef = outline.ref;
  const refs = { run: brief, catalogueRef, outlineRef };
  const { readingRef, calls, largestChars } = await run.carryOut(
    activities.planReading,
    refs,
    'plan the reading',
  );
  run.plan(calls + 2);
  const cost = worstCase(run, 'deep-dive', CALL_SIZES.extractGroup(largestChars));
  const { atOnce } = shapeOfRun(run.input);
  let reason = '';
  const read = await inParallel(Array.from({ length: calls }), atOnce, async (_, call) =>
    orShortfall(
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
  const failures: SectionFailure[] = [];
  const sections: FoundSection[] = [];
  let findings = 0;
  for (const section of outline.sections) {
    const found = settled.sections.find(({ sectionId }) => sectionId === section.id);
    let findingsRef = found?.findingsRef ?? null;
    keepOfSection(run.carried, section.id, { findingsRef });
    let count = found?.findings ?? 0;
    if (found !== undefined && found.missed > 0) {
      if (count === 0) {
        const request = { run: run.brief, catalogueRef, outlineRef, sectionId: section.id };
        const taken = await run.carryOut(activities.takeSummaries, request, 'take summaries');
        findingsRef = taken.findingsRef;
        keepOfSection(run.carried, section.id, { findingsRef });
        count = taken.findings;
        failures.push({ section, reason });
      } else {
        await run.addShortfall(
          `Pass 2 could not read some of the sources of ${sectionName(outline.sections, section.id)} (${reason}).`,
        );
      }
    }
    sections.push({ id: section.id, findingsRef });
    findings += count;
    run.finishPiece(section.id);
  }
  return { sections, findings, failures, rankingRef: settled.rankingRef, readingRef };
}
