import {
  CancellationScope,
  allHandlersFinished,
  condition,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { ArtifactRef } from '../../contracts/run/artifact';
import type { RunOutcome } from '../../contracts/run/run';
import { ColligateCitations } from '../../temporal/search-attributes';
import { keepWarnings } from '../run/carried-run';
import { bestVersion, judgeOf } from '../run/judging/versions';
import type { FinalStatus } from '../run/kind';
import { counted, usageOf } from '../run/publishing/run-mirror';
import { activities } from './activities';
import { takenSources, waitingSources } from './steering/given-sources';
import type { ReportText } from './pass-artifacts';
import type { ReportRun } from './report-run';

/** Stores the report of what there is, whatever becomes of the run meanwhile, and closes its event log. */
export async function concludeReport(run: ReportRun, status: FinalStatus): Promise<RunOutcome> {
  return CancellationScope.nonCancellable(async () => {
    const { carried, input } = run;
    const left = waitingSources(run);
    carried.closing = true;
    if (left > 0)
      keepWarnings(carried, [
        {
          code: 'sources-left',
          message: `The run ended before it could take up ${counted(left, 'source')} that had been added.`,
        },
      ]);
    const { total, byPass } = usageOf(carried);
    const best = bestVersion(carried.versions ?? []);
    const judge = judgeOf(carried.versions ?? []);
    const { citations, ...outcome } = await run.outlast(
      (trial) =>
        activities.assembleReport.executeWithOptions({ summary: 'pass 4 · assemble the report', ...trial }, [
          {
            run: run.brief,
            status,
            endedEarly: endedEarly(run, status),
            shortfalls: carried.shortfalls,
            noAnswer: carried.noAnswer === true,
            manifestRef: takenSources(run).manifestRef,
            asOf: input.asOf,
            catalogueRef: carried.catalogue?.ref ?? null,
            outlineRef: carried.outline?.ref ?? null,
            sections: carried.sections.map(({ id, findingsRef, draftRef }) => ({
              sectionId: id,
              findingsRef,
              draftRef: best === null ? draftRef : draftIn(best.text, id),
            })),
            validatedRef: carried.validatedRef,
            frameRef: best === null ? carried.frameRef : best.text.frameRef,
            warnings: carried.warnings,
            usage: { ...total, byPass },
            timings: {
              total: Date.now() - Date.parse(carried.startedAt),
              byPass: { ...carried.passMs },
            },
            ...(judge === null ? {} : { judge }),
            ...(input.since === undefined ? {} : { since: input.since }),
          },
        ]),
      { heedsPause: false },
    );
    if (input.searchAttributes) upsertSearchAttributes([{ key: ColligateCitations, value: citations }]);
    run.end(status, [
      counted(citations, 'citation'),
      ...(best === null ? [] : [`score ${best.judged.overall} of 5`]),
    ]);
    await condition(allHandlersFinished);
    return outcome;
  });
}

function draftIn({ sections }: ReportText, id: string): ArtifactRef | null {
  return sections.find(({ sectionId }) => sectionId === id)?.draftRef ?? null;
}

function endedEarly({ carried: { quotedSteps }, clock }: ReportRun, status: FinalStatus): string | null {
  if (status === 'cancelled') return 'The run was cancelled before it was finished.';
  if (clock.timeIsUp) return 'The time allowed for the run was over before it was finished.';
  if (status === 'partial' && quotedSteps > 0)
    return `${quotedSteps === 1 ? 'One step' : `${quotedSteps} steps`} could not be left to the model, for the reasons that the warnings give, and ${quotedSteps === 1 ? 'was' : 'were'} done without it.`;
  return null;
}
