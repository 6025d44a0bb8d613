import { allHandlersFinished, condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { RunInput } from '../../contracts/run/run-input';
import type { CarriedRun } from './carried-run';

/** Ends a history that has grown long, and goes on in a new one with what is carried over; `close` settles that before. */
export async function goOnInNewHistory(
  input: RunInput,
  carried: CarriedRun,
  close: () => void,
): Promise<void> {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  if (!continueAsNewSuggested && historyLength < (input.continueAsNewAfterEvents ?? Infinity)) return;
  await condition(allHandlersFinished);
  close();
  await continueAsNew<(input: RunInput, carried: CarriedRun) => Promise<unknown>>(input, carried);
}
