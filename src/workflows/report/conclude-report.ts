import {
  CancellationScope,
  allHandlersFinished,
  condition,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { RunOutcome } from '../../contracts/run/run';
import { ColligateCitations } from '../../temporal/search-attributes';
import type { FinalStatus } from '../run/kind';
import { counted, usageOf } from '../run/telling/run-mirror';
import { activities } from './activities';
import type { ReportRun } from './report-run';

/** Stores the report of what there is, whatever becomes of the run meanwhile, and closes its event log. */
export async function concludeReport(run: ReportRun, status: FinalStatus): Promise<RunOutcome> {
  return CancellationScope.nonCancellable(async () => {
    const { carried, input } = run;
    const { total, byPass } = usageOf(carried);
    const { citations, ...outcome } = await run.outlast(
      (trial) =>
        activities.assembleReport.executeWithOptions({ summary: 'pass 4 · assemble the report', ...trial }, [
          {
            run: run.brief,
            status,
            endedEarly: endedEarly(run, status),
            shortfalls: carried.shortfalls,
            noAnswer: carried.noAnswer === true,
            manifestRef: input.manifestRef,
            asOf: input.asOf,
            catalogueRef: carried.catalogue?.ref ?? null,
            outlineRef: carried.outline?.ref ?? null,
            sections: carried.sections.map(({ id, findingsRef, draftRef }) => ({
              sectionId: id,
              findingsRef,
              draftRef,
            })),
            validatedRef: carried.validatedRef,
            frameRef: carried.frameRef,
            warnings: carried.warnings,
            usage: { ...total, byPass },
            timings: {
              total: Date.now() - Date.parse(carried.startedAt),
              byPass: { ...carried.passMs },
            },
          },
        ]),
      { heedsPause: false },
    );
    if (input.searchAttributes) upsertSearchAttributes([{ key: ColligateCitations, value: citations }]);
    run.end(status, [counted(citations, 'citation')]);
    await condition(allHandlersFinished);
    return outcome;
  });
}

function endedEarly({ carried: { quotedSteps }, clock }: ReportRun, status: FinalStatus): string | null {
  if (status === 'cancelled') return 'The run was cancelled before it was finished.';
  if (clock.timeIsUp) return 'The time allowed for the run was over before it was finished.';
  if (status === 'partial' && quotedSteps > 0)
    return `${quotedSteps === 1 ? 'One step' : `${quotedSteps} steps`} could not be left to the model, for the reasons that the warnings give, and ${quotedSteps === 1 ? 'was' : 'were'} done without it.`;
  return null;
}
