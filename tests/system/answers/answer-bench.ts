import type { WorkflowHandle } from '@temporalio/client';
import { WithStartWorkflowOperation } from '@temporalio/client';
import type { Answer } from '../../../src/contracts/answer/answer';
import { replyUpdate } from '../../../src/workflows/answer/messages';
import type { RunBench } from '../../support/run-bench';

/** What DAIL-SQL is, as two tools observed it. */
export const OBSERVATIONS = [
  'DAIL-SQL uses example-based learning with carefully selected demonstrations. The selection algorithm ranks examples by similarity to the target query.',
  'On the Spider benchmark DAIL-SQL reaches an execution accuracy of 86.6 percent.',
];

/** Asks as a caller does who wants no more than the reply: one call that starts and waits. */
export function ask(bench: RunBench, workflowId: string, input: object): Promise<Answer> {
  return bench.client.workflow.executeUpdateWithStart(replyUpdate, {
    startWorkflowOperation: startOf(bench, workflowId, input),
  });
}

export function startOf(
  bench: RunBench,
  workflowId: string,
  input: object,
): WithStartWorkflowOperation<(given: object) => Promise<unknown>> {
  return new WithStartWorkflowOperation('answer', {
    workflowId,
    taskQueue: bench.config.temporal.taskQueue,
    args: [input],
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
}

export function start(bench: RunBench, workflowId: string, input: object): Promise<WorkflowHandle> {
  return bench.client.workflow.start('answer', {
    workflowId,
    taskQueue: bench.config.temporal.taskQueue,
    args: [input],
  });
}
