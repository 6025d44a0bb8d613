import { condition } from '@temporalio/workflow';
import type { Warning } from '../../../contracts/run/run';
import type { SignalDoor } from '../handlers';
import { MOST_REFUSALS_TOLD } from '../run-constants';

export interface Signals extends SignalDoor {
  /** Resolves when the warnings about signals are written, or cannot be: a history that ends before would lose them. */
  told(): Promise<void>;
  /** How many came in this history, whatever became of them. */
  readonly received: number;
}

export function createSignals(warn: (warning: Warning) => Promise<void>): Signals {
  let received = 0;
  let refused = 0;
  let untold = 0;
  return {
    admit() {
      received += 1;
    },
    refused(reason) {
      refused += 1;
      if (refused > MOST_REFUSALS_TOLD) return;
      untold += 1;
      void warn({ code: 'message-refused', message: reason }).finally(() => (untold -= 1));
    },
    told: () => condition(() => untold === 0),
    get received() {
      return received;
    },
  };
}
