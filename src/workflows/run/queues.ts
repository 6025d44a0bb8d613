import { workflowInfo, type ActivityOptions } from '@temporalio/workflow';
import { computingTaskQueue, modelTaskQueue } from '../../core/run/task-queues';
import { ACTIVITY_OPTIONS, MODEL_STEP_TIMEOUT } from './run-constants';

// Here it is decided which worker does what. Histories do not depend on it: a task goes where it was sent, and workers of
// every kind of work know every activity.

/** For what is short: the workflow's own queue, where a worker may be handed the activity with the task that asked for it. */
export const WITH_THE_RUN: ActivityOptions = ACTIVITY_OPTIONS;

/** For what reads texts or computes with them. What depends on the run that asks is not known where this is made. */
export const COMPUTING: ActivityOptions = {
  ...ACTIVITY_OPTIONS,
  get taskQueue() {
    return computingTaskQueue(workflowInfo().taskQueue);
  },
  get priority() {
    return ownShare();
  },
};

export function askingModels(): ActivityOptions {
  return {
    taskQueue: modelTaskQueue(workflowInfo().taskQueue),
    startToCloseTimeout: MODEL_STEP_TIMEOUT,
    priority: ownShare(),
  };
}

/**
 * A server that minds fairness takes tasks of different keys in turns, so that a large run does not make small ones wait;
 * another takes them as they came. The id of the first history stays with a run, and is short enough for a key.
 */
function ownShare(): ActivityOptions['priority'] {
  return { fairnessKey: workflowInfo().firstExecutionRunId };
}
