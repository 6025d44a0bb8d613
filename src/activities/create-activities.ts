import { Context } from '@temporalio/activity';
import { asActivityFailure } from './activity-failure';
import { assembleReport } from './assemble-report';
import { catalogueSources } from './catalogue-sources';
import { crossCheckSection } from './cross-check-section';
import { deepDiveSection } from './deep-dive-section';
import { startHeartbeat } from './heartbeat';
import { planOutline } from './plan-outline';
import type { ActivityPorts } from './ports';
import { reconcileFindings } from './reconcile-findings';
import { recordEvents } from './record-events';
import { summariseBatch } from './summarise-batch';
import { writeSection } from './write-section';
import { writeSummary } from './write-summary';

/** All activities, bound to what they need; the workflow sees their types only. */
export type Activities = ReturnType<typeof createActivities>;

// eslint-disable-next-line @typescript-eslint/explicit-function-return-type -- the type is what this returns
export function createActivities(ports: ActivityPorts) {
  const activity = <Input, Result>(
    carryOut: (ports: ActivityPorts, input: Input, signal: AbortSignal) => Promise<Result>,
  ): ((input: Input) => Promise<Result>) => {
    return (input) => underTemporal((signal) => carryOut(ports, input, signal));
  };
  return {
    recordEvents: activity(recordEvents),
    summariseBatch: activity(summariseBatch),
    catalogueSources: activity(catalogueSources),
    planOutline: activity(planOutline),
    deepDiveSection: activity(deepDiveSection),
    crossCheckSection: activity(crossCheckSection),
    reconcileFindings: activity(reconcileFindings),
    writeSection: activity(writeSection),
    writeSummary: activity(writeSummary),
    assembleReport: activity(assembleReport),
  };
}

/** Beats while the work goes on, hands it the cancellation, and tells Temporal of failures in its own terms. */
async function underTemporal<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const context = Context.current();
  const stopHeartbeat = startHeartbeat(context);
  try {
    return await work(context.cancellationSignal);
  } catch (error) {
    if (context.cancellationSignal.aborted) await context.cancelled; // rejects with the reason for the cancellation
    throw asActivityFailure(error);
  } finally {
    stopHeartbeat();
  }
}
