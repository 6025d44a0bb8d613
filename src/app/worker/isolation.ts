import type { WorkerOptions } from '@temporalio/worker';

/**
 * Has each run's code carried out in a context of its own, and to its end. The SDK gives a workflow task 5 s and then breaks off
 * its code; promises that this code left go on when the context is used next, in a shared one within another run, and in either
 * they end the thread with every run that it holds. So a task is not broken off: one that took longer than the server waits
 * (10 s) is done again, and nothing of it is kept. See docs/decisions/0023.
 *
 * `isolateExecutionTimeout` is an option of the SDK's that its types leave out; a test holds that it is heeded.
 */
export const ISOLATION: Pick<WorkerOptions, 'reuseV8Context'> & { isolateExecutionTimeout: string } = {
  reuseV8Context: false,
  // Code that loops for ever ends its worker, so that whatever supervises that starts another.
  isolateExecutionTimeout: '10 minutes',
};
