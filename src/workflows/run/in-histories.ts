import { ActivityCancellationType, type ActivityOptions } from '@temporalio/workflow';

// What the histories of every kind of run depend on: its patches, clocks and sizes. What is changed here without a patch
// breaks runs that are under way, or makes them wait otherwise than they were promised (docs/decisions/0012).

/** A patch of a release before 0.6, which histories of 0.6 name. */
export const NO_OUTAGE_FAILS_A_RUN = 'no-outage-fails-a-run';

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

/** The server takes 2,000 updates of a history: behind so many it goes on in a new one. Further signals are ignored until then. */
export const MESSAGES_A_HISTORY = 500;

/** Since 0.7: what messages can do to a run is bounded. It is asked for only where there are too many of them. */
export const BOUNDED_MESSAGES = 'bounded-messages';

/** Since 0.7: no run has the name of what is kept for schedules. It is asked for only of a run that has. */
export const KEPT_NAMES = 'kept-names';

/** Since 0.7: what a judge names is mended though the text passed. It is asked for only where that is so. */
export const MENDS_WHAT_IS_NAMED = 'mends-what-is-named';

/** Since 0.7: a run ends when what it tells of outages is written. It is asked for only where something is not. */
export const OUTAGES_ARE_TOLD = 'outages-are-told';

/** Since 0.7: a history ends when what it tells of signals is written. It is asked for only where something is not. */
export const SIGNALS_ARE_TOLD = 'signals-are-told';

/** So many messages may wait for what is done for those before; each is done for in workflow tasks of its own. */
export const MOST_WAITING = 100;

/** So many refused signals are told of, as warnings; the others are counted. */
export const MOST_REFUSALS_TOLD = 10;

/** A history that has grown to so many bytes goes on in a new one, where messages have come. */
export const LONG_HISTORY_BYTES = 1_000_000;

/** So often the server's records are told of a change in one workflow task at once; what changes oftener is told at its end. */
export const TOLD_AT_ONCE = 10;

/** A judge may read so much of a text, with what it is judged by, where it is not known how much there is. */
export const JUDGED_CHARS = 200_000;
