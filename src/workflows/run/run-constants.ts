import { ActivityCancellationType, type ActivityOptions } from '@temporalio/workflow';

/**
 * How every activity is carried out. A cancelled one is waited for, so that nothing goes on (and goes on costing) after its
 * run has closed. A dead worker is noticed after the heartbeat timeout; six attempts bridge about a minute of trouble.
 */
export const ACTIVITY_OPTIONS: ActivityOptions = {
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: {
    initialInterval: '2 seconds',
    backoffCoefficient: 2,
    maximumInterval: '60 seconds',
    maximumAttempts: 6,
  },
};

/** A step of a model's may take several calls, and each its time. */
export const MODEL_STEP_TIMEOUT = '60 minutes';

/** After so long a step that no worker has taken is told of; it is waited for all the same. */
export const UNTAKEN_TO_TELL = '1 minute';

/** A model is asked once more, on purpose, where its answer cannot be used; the kept answer would come again otherwise. */
export const MODEL_TURNS = [0, 1];

/** How long a try anew waits for a worker, where the run has the patience: each try costs the history some events. */
export const PROBE_QUEUE_MS = 300_000;

/** The wait before the first try anew, where the run's input says nothing; each further one is twice as long. */
export const FIRST_WAIT_MS = 15_000;

/** No wait between two tries is longer. */
export const LONGEST_WAIT_MS = 300_000;

/** What is carried over to the next history keeps so many warnings; the event log has them all. */
export const MAX_WARNINGS = 100;

/** So much of a failure's reason stands in what the reader is told; it is a part of activities' inputs. */
export const MAX_REASON_CHARS = 300;

/** So many messages are remembered, from history to history; one that is sent again after so many others is taken for a new one. */
export const REMEMBERED_MESSAGES = 500;

/** The server takes 2,000 updates of a history: behind so many it goes on in a new one. */
export const MESSAGES_A_HISTORY = 500;

/** So many refused signals of a history are told of, as warnings. */
export const MOST_REFUSALS_TOLD = 10;

/** A history that has grown to so many bytes goes on in a new one, where messages have come. */
export const LONG_HISTORY_BYTES = 1_000_000;

/** So often the server's records are told of a change in one workflow task at once; what changes oftener is told at its end. */
export const TOLD_AT_ONCE = 10;
