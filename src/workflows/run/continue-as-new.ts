import { allHandlersFinished, condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { RunInput } from '../../contracts/run/run-input';
import type { CarriedRun } from './carried-run';
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
  /** How many messages came in this history. */
  messages: number,
): Promise<void> {
  if (!isLong(input, messages)) return;
  await condition(allHandlersFinished);
  close();
  await continueAsNew<(input: RunInput, carried: CarriedRun) => Promise<unknown>>(input, carried);
}
