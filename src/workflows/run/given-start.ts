import { workflowInfo } from '@temporalio/workflow';
import type { RunInput } from '../../contracts/run/run-input';
import { isKeptName } from '../../core/run/kept-names';
import { isRecord } from '../../core/values/is-record';
import { Unreadable } from '../../core/values/unreadable';
import type { CarriedRun } from './carried-run';
import { surplusProblems, unreadableProblems } from './input/start-problems';
import { invalidInput } from './invalid-input';
import type { Kind } from './kind';

export interface Start<Input, Carried> {
  input: Input;
  carried: Carried | undefined;
}

/**
 * What a run was started with, whoever did: the whole of its arguments checked, with the defaults of its input, under the
 * workflow's id. What a history carried over was settled in the first. Throws, for good, what `invalidInput` makes.
 */
export function settledStart<Input extends RunInput, Carried extends CarriedRun, Facts extends object>(
  kind: Kind<Input, Carried, Facts>,
  given: readonly unknown[],
): Start<Input, Carried> {
  waitForKey(given);
  const [input, carried, ...others] = given;
  // Made by this function and by the run itself, in the history before.
  if (others.length === 0 && isOwn(carried)) return { input: input as Input, carried: carried as Carried };
  const { workflowId, startTime } = workflowInfo();
  const unreadable = unreadableProblems(input);
  const read =
    unreadable.length > 0
      ? { problems: unreadable }
      : kind.readInput(input, { runId: workflowId, startedAt: startTime.toISOString() });
  const problems = [
    ...idProblems(workflowId),
    ...surplusProblems(1, given),
    ...('problems' in read ? read.problems : []),
  ];
  if (problems.length > 0 || 'problems' in read) throw invalidInput(kind.name, problems);
  return { input: read.input, carried: undefined };
}

/** A run writes into a log of its id, and clears what an earlier one has left there. */
function idProblems(workflowId: string): string[] {
  if (!isKeptName(workflowId)) return [];
  return [`its workflow id is "${workflowId}", under which a schedule is kept; allowed: another one`];
}

/**
 * Whether a second argument is what the run itself carried over. It names the first execution of its chain, whose id the
 * server makes when that starts: nobody can know it before, and only the run's own continue-as-new comes after it.
 */
function isOwn(carried: unknown): boolean {
  const { continuedFromExecutionRunId, firstExecutionRunId } = workflowInfo();
  if (!isRecord(carried) || continuedFromExecutionRunId === undefined) return false;
  return carried['chainId'] === firstExecutionRunId;
}

/** Fails the workflow task, not the run: a worker that has the key takes it. */
export function waitForKey(given: readonly unknown[]): void {
  for (const value of given)
    if (value instanceof Unreadable && value.isEncrypted)
      throw new Error(`An argument of the workflow cannot be read: ${value.reason}`);
}
