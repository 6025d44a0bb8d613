import { allHandlersFinished, condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { RunInput } from '../../contracts/run/run-input';
import type { CarriedRun } from './carried-run';
import type { Inbox } from './steering/inbox';
import { MESSAGES_A_HISTORY } from './in-histories';

/** Whether a history has grown long, by its events or by the messages that came in it. */
export function isLong(input: Pick<RunInput, 'continueAsNewAfterEvents'>, messages: number): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  if (messages >= MESSAGES_A_HISTORY) return true;
  return continueAsNewSuggested || historyLength >= (input.continueAsNewAfterEvents ?? Infinity);
}

/** Ends a history that has grown long, and goes on in a new one with what is carried over; `close` settles that before. */
export async function goOnInNewHistory(
  input: RunInput,
  carried: CarriedRun,
  close: () => void,
  inbox: Pick<Inbox, 'received' | 'close' | 'idle'>,
): Promise<void> {
  if (!isLong(input, inbox.received)) return;
  // Where messages never cease to come, the history would never end.
  inbox.close();
  await condition(allHandlersFinished);
  await inbox.idle();
  close();
  await continueAsNew<(input: RunInput, carried: CarriedRun) => Promise<unknown>>(input, carried);
}
