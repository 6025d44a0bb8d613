import { allHandlersFinished, condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { RunInput } from '../../contracts/run/run-input';
import type { CarriedRun } from './carried-run';
import type { Inbox } from './steering/inbox';
import type { Signals } from './steering/signals';
import { LONG_HISTORY_BYTES, MESSAGES_A_HISTORY } from './run-constants';

export interface Received {
  updates: number;
  signals: number;
}

export function isLong(
  input: Pick<RunInput, 'continueAsNewAfterEvents'>,
  { updates, signals }: Received,
): boolean {
  const { continueAsNewSuggested, historyLength, historySize } = workflowInfo();
  if (updates >= MESSAGES_A_HISTORY) return true;
  if (continueAsNewSuggested || historyLength >= (input.continueAsNewAfterEvents ?? Infinity)) return true;
  return signals >= MESSAGES_A_HISTORY || (historySize >= LONG_HISTORY_BYTES && updates + signals > 0);
}

/** Ends a history that has grown long, and goes on in a new one with what is carried over; `close` settles that before. */
export async function goOnInNewHistory(
  input: RunInput,
  carried: CarriedRun,
  close: () => void,
  inbox: Pick<Inbox, 'close' | 'idle' | 'waiting'>,
  signals: Pick<Signals, 'told'>,
  received: Received,
): Promise<void> {
  if (!isLong(input, received)) return;
  // Updates are refused from now on, and signals are still applied here: whatever came is done before the history ends.
  inbox.close();
  do {
    await condition(allHandlersFinished);
    await inbox.idle();
    await signals.told();
  } while (inbox.waiting > 0);
  close();
  await continueAsNew<(input: RunInput, carried: CarriedRun) => Promise<unknown>>(input, carried);
}
