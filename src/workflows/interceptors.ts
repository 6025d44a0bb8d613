import type { WorkflowInterceptors } from '@temporalio/workflow';

/** With so many jobs a workflow task is a flood of messages. */
const MANY_JOBS = 50;
/** What V8 keeps where nothing is said. */
const FRAMES = 10;

/**
 * The SDK keeps a stack trace for every promise, which is most of what a message costs: 10,000 signals in one task took 7.5 s of
 * processor time with and 3.0 s without (docs/reliability.md). A task has 10 s at the server. So tasks of many messages keep none.
 */
export const interceptors = (): WorkflowInterceptors => ({
  internals: [
    {
      activate(input, next) {
        // A frozen one, of a context that is shared, stays as it is.
        Reflect.set(Error, 'stackTraceLimit', (input.activation.jobs?.length ?? 0) > MANY_JOBS ? 0 : FRAMES);
        next(input);
      },
    },
  ],
});
