import { workflowInfo } from '@temporalio/workflow';
import type { RunInput } from '../../contracts/run/run-input';
import { beginCarried, type CarriedRun } from './carried-run';
import type { Kind } from './kind';

/**
 * What a run carries: what an earlier history handed over, under the version that this worker writes, or what there is before
 * anything is done. Throws where a newer release handed it over, so that a worker of that takes it.
 */
export function takeUp<Input extends RunInput, Carried extends CarriedRun, Brief extends object>(
  { stateVersion, begin }: Pick<Kind<Input, Carried, Brief>, 'stateVersion' | 'begin'>,
  input: Input,
  given: Carried | undefined,
): Carried {
  if (given !== undefined) return known(given, stateVersion);
  const { startTime, firstExecutionRunId } = workflowInfo();
  const general = { ...beginCarried(input, startTime), chainId: firstExecutionRunId };
  // What every kind carries, and what this one carries besides: together they are all of it.
  return { version: stateVersion, ...general, ...begin() } as unknown as Carried;
}

function known<Carried extends CarriedRun>(given: Carried, version: number): Carried {
  const { version: written = 1 } = given;
  if (written > version)
    throw new Error(
      `The state of this run has version ${written}, and this worker knows versions up to ${version}. Start a worker of the release that began the run, or of a newer one: the run goes on there by itself.`,
    );
  return { ...given, version, chainId: workflowInfo().firstExecutionRunId };
}
