import { workflowInfo, type ActivityOptions } from '@temporalio/workflow';
import { computingTaskQueue } from '../../core/run/task-queues';
import { ACTIVITY_OPTIONS } from './in-histories';

// Here it is decided which worker does what. Steps that ask a model are on a third queue (`ask.ts`). Histories do not depend
// on it: a task goes where it was sent, and workers of every kind of work know every activity.

/** For what is short: the workflow's own queue, where a worker may be handed the activity with the task that asked for it. */
export const WITH_THE_RUN: ActivityOptions = ACTIVITY_OPTIONS;

/** For what reads texts or computes with them. */
export const COMPUTING: ActivityOptions = {
  ...ACTIVITY_OPTIONS,
  // It depends on the run that asks, which is not known where this is made.
  get taskQueue() {
    return computingTaskQueue(workflowInfo().taskQueue);
  },
};
