import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  allHandlersFinished,
  condition,
  log,
} from '@temporalio/workflow';
import type { ReportRunInput } from '../../contracts/report/report-run';
import type { RunOutcome } from '../../contracts/run/run';
import { eventKey } from '../../core/run/event-key';
import { activities } from '../run/activities';
import type { Run } from '../run/run';
import { ENGINE_UNREACHABLE, RUN_FAILED } from '../run/messages';
import { mirrorCitations, usageOf } from '../run/run-mirror';
import { isEngineUnreachable } from '../run/step-failures';

type FinalStatus = 'completed' | 'partial' | 'cancelled';

/** Stores the report of what there is, whatever becomes of the run meanwhile, and closes its event log. */
export async function concludeRun(run: Run, status: FinalStatus): Promise<RunOutcome> {
  return CancellationScope.nonCancellable(async () => {
    const { state, input } = run;
    const { total, byPass } = usageOf(state);
    const { citations, ...outcome } = await run.outlast(
      (trial) =>
        activities.assembleReport.executeWithOptions({ summary: 'pass 4 · assemble the report', ...trial }, [
          {
            run: run.brief,
            status,
            endedEarly: endedEarly(run, status),
            shortfalls: state.shortfalls,
            noAnswer: state.noAnswer === true,
            manifestRef: input.manifestRef,
            asOf: input.asOf,
            catalogueRef: state.catalogue?.ref ?? null,
            outlineRef: state.outline?.ref ?? null,
            sections: state.sections.map(({ id, findingsRef, draftRef }) => ({
              sectionId: id,
              findingsRef,
              draftRef,
            })),
            validatedRef: state.validatedRef,
            frameRef: state.frameRef,
            warnings: state.warnings,
            usage: { ...total, byPass },
            timings: { total: Date.now() - Date.parse(state.startedAt), byPass: { ...state.passMs } },
          },
        ]),
      { heedsPause: false },
    );
    if (input.searchAttributes) mirrorCitations(citations);
    run.end(status, citations);
    await condition(allHandlersFinished);
    return outcome;
  });
}

/** Writes the failure into the event log, and returns what the run is to fail with. */
export async function failRun(run: Run, error: unknown): Promise<ApplicationFailure> {
  return CancellationScope.nonCancellable(async () => {
    const message = failureMessage(error);
    await recordFailure(run.input, message);
    run.end('failed');
    await condition(allHandlersFinished);
    return ApplicationFailure.nonRetryable(
      message,
      isEngineUnreachable(error) ? ENGINE_UNREACHABLE : RUN_FAILED,
    );
  });
}

async function recordFailure({ runId }: ReportRunInput, message: string): Promise<void> {
  const key = eventKey({ pass: 4, step: 'run', type: 'run-failed' });
  try {
    await activities.recordEvents.executeWithOptions({ summary: 'record the failure' }, [
      { runId, events: [{ key, event: { type: 'run-failed', payload: { message } } }] },
    ]);
  } catch (error) {
    // That the log cannot be written may be why the run fails; its closed workflow still says so.
    log.error('The failure could not be written into the event log', { reason: failureMessage(error) });
  }
}

/** The cause says what went wrong; the failure around it only that an activity did. */
function failureMessage(error: unknown): string {
  if (error instanceof ActivityFailure && error.cause) return `${error.activityType}: ${error.cause.message}`;
  return error instanceof Error ? error.message : String(error);
}

function endedEarly(run: Run, status: FinalStatus): string | null {
  if (status === 'cancelled') return 'The run was cancelled before it was finished.';
  if (run.clock.timeIsUp) return 'The time allowed for the run was over before it was finished.';
  if (status === 'partial' && run.state.quotedSteps > 0)
    return `${counted(run.state.quotedSteps)} could not be left to the model, for the reasons that the warnings give, and ${run.state.quotedSteps === 1 ? 'was' : 'were'} done by quoting.`;
  return null;
}

function counted(steps: number): string {
  return steps === 1 ? 'One step' : `${steps} steps`;
}
