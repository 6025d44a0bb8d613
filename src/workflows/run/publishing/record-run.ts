import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  log,
} from '@temporalio/workflow';
import type { RecordEventsInput } from '../../../activities/shared/record-events';
import type { Warning } from '../../../contracts/run/run';
import { eventKey } from '../../../core/run/event-key';
import { activities } from '../activities';
import type { Outages, Trial } from '../outages/outages';
import type { CarriedRun } from '../carried-run';
import { causeMessage } from '../outages/step-failures';

/** Whoever sent a message waits while it is written down. */
const TOLD_IN_PASSING: Trial = { retry: { maximumAttempts: 3 } };

type Events = RecordEventsInput['events'];
type Record = (events: Events) => Promise<void>;

/** Writes the run's own events into its log. No report depends on them: what cannot be written is left out. */
export interface Recorder {
  /** Waits for a store that is away, as all work does. */
  record(summary: string, write: (record: Record) => Promise<void>): Promise<void>;
  warn(warning: Warning): Promise<void>;
  /** Writes an event once for each `ordinal`, without waiting long for a store that is away. */
  tellOnce(event: Events[number]['event'], ordinal: string | number): Promise<void>;
  /** Tells, where it has changed, what the run waits for; to the log as far as that can be written now. */
  tellOutage(outages: Pick<Outages, 'waiting' | 'parked' | 'isWorking'>): void;
  /** Until what is told of outages is written, or cannot be: a run that ends before would leave it behind. */
  outagesTold(): Promise<void>;
}

export function createRecorder(run: {
  runId: string;
  carried: CarriedRun;
  named: (summary: string) => string;
  outlast: Outages['outlast'];
  place: () => number;
  refresh: () => void;
  publish: () => void;
}): Recorder {
  const { runId, carried } = run;
  let told = '';
  let wasWorking = false;
  let untold = 0;

  const recordWith =
    (summary: string, trial: Trial): Record =>
    (events) =>
      activities.recordEvents.executeWithOptions({ summary: run.named(summary), ...trial }, [
        { runId, events },
      ]);

  function recordOnce(event: Events[number]['event']): void {
    carried.outagesTold = (carried.outagesTold ?? 0) + 1;
    const key = eventKey({ pass: run.place(), step: 'run', type: event.type, ordinal: carried.outagesTold });
    untold += 1;
    void CancellationScope.nonCancellable(() =>
      recordWith('outage', { retry: { maximumAttempts: 1 } })([{ key, event }]),
    )
      .catch(leftOut)
      .finally(() => (untold -= 1));
  }

  const recorder: Recorder = {
    async record(summary, write) {
      try {
        await run.outlast((trial) => write(recordWith(summary, trial)));
      } catch (error) {
        const isFailure = error instanceof ActivityFailure || error instanceof ApplicationFailure;
        if (!isFailure || isCancellation(error)) throw error;
        leftOut(error);
      }
    },
    async warn(warning) {
      carried.warningsSaid += 1;
      const ordinal = carried.warningsSaid;
      const key = eventKey({ pass: run.place(), step: 'run', type: 'warning', ordinal });
      const event = { type: 'warning' as const, payload: warning };
      await recorder.record('warning', (record) => record([{ key, event }]));
    },
    async tellOnce(event, ordinal) {
      const key = eventKey({ pass: 0, step: 'message', type: event.type, ordinal });
      try {
        await recordWith(event.type, TOLD_IN_PASSING)([{ key, event }]);
      } catch (error) {
        leftOut(error);
      }
    },
    tellOutage({ waiting, parked, isWorking }) {
      const now =
        parked === null ? `${waiting?.since ?? ''} ${waiting?.until ?? ''}`.trim() : `parked ${parked.since}`;
      const changesStatus = isWorking !== wasWorking && waiting !== null;
      wasWorking = isWorking;
      if (now === told) {
        if (changesStatus) run.publish();
        else run.refresh();
        return;
      }
      told = now;
      run.publish();
      if (parked !== null) recordOnce({ type: 'run-parked', payload: { reason: parked.reason } });
      else if (waiting !== null) {
        const { what, reason, until } = waiting;
        recordOnce({
          type: 'run-waiting',
          payload: { what, reason, ...(until === undefined ? {} : { until }) },
        });
      } else recordOnce({ type: 'run-goes-on', payload: {} });
    },
    async outagesTold() {
      if (untold > 0) await condition(() => untold === 0);
    },
  };
  return recorder;
}

function leftOut(error: unknown): void {
  if (!(error instanceof ActivityFailure || error instanceof ApplicationFailure)) return;
  log.warn('An event could not be written into the log', { reason: causeMessage(error) });
}
