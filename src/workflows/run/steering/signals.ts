import { condition, patched } from '@temporalio/workflow';
import type { Warning } from '../../../contracts/run/run';
import type { CarriedRun, IdleSignals } from '../carried-run';
import type { SignalDoor } from '../handlers';
import {
  BOUNDED_MESSAGES,
  MESSAGES_A_HISTORY,
  MOST_REFUSALS_TOLD,
  MOST_WAITING,
  SIGNALS_ARE_TOLD,
} from '../in-histories';

/** What a run does with the signals that come: nobody waits for what becomes of one, and anybody may send as many as he likes. */
export interface Signals extends SignalDoor {
  /** The door of signals that are read however many came before, while `isNeeded`: nothing else would let the history end. */
  whenNeeded(isNeeded: () => boolean): SignalDoor;
  /** Tells why a signal did nothing, for the first few; the others are counted. */
  refused(reason: string): void;
  /** Until what is told of them is written, or cannot be: a history that ends before would leave it behind. */
  told(): Promise<void>;
  /** How many came in this history, whatever became of them. */
  readonly received: number;
}

/**
 * Bounds what signals can do to a run: a history takes so many, so many may be under way, and what is refused is told a few
 * times. The server takes 10,000 signals of an execution, and a workflow task gets all that have come at once.
 */
export function createSignals(run: {
  carried: CarriedRun;
  /** How many messages are under way. */
  waiting: () => number;
  warn: (warning: Warning) => Promise<void>;
}): Signals {
  const { carried } = run;
  let received = 0;
  let untold = 0;
  const tell = (warning: Warning): void => {
    untold += 1;
    void run.warn(warning).finally(() => (untold -= 1));
  };
  const idle = (): IdleSignals => (carried.idleSignals ??= { refused: 0, ignored: 0 });
  const signals: Signals = {
    whenNeeded: (isNeeded) => ({
      ...signals,
      admits: () => (isNeeded() ? (received += 1) > 0 : signals.admits()),
    }),
    admits() {
      received += 1;
      const isTooMany = received > MESSAGES_A_HISTORY || run.waiting() >= MOST_WAITING;
      // Runs that 0.6 has begun took all of them.
      if (!isTooMany || !patched(BOUNDED_MESSAGES)) return true;
      const counts = idle();
      counts.ignored += 1;
      if (counts.ignored === 1) tell({ code: 'messages-ignored', message: IGNORED });
      return false;
    },
    refused(reason) {
      const counts = idle();
      counts.refused += 1;
      const isToBeTold = counts.refused <= MOST_REFUSALS_TOLD || !patched(BOUNDED_MESSAGES);
      if (isToBeTold) tell({ code: 'message-refused', message: reason });
    },
    async told() {
      if (untold > 0 && patched(SIGNALS_ARE_TOLD)) await condition(() => untold === 0);
    },
    get received() {
      return received;
    },
  };
  return signals;
}

const IGNORED = `More signals came than a run takes (${MOST_WAITING} waiting, ${MESSAGES_A_HISTORY} until it goes on in a new history): those beyond are ignored, and counted in the query \`steering\`. Send updates, which are answered.`;
