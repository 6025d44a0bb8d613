import type { WorkflowInterceptors } from '@temporalio/workflow';

const MESSAGE_FLOOD_JOBS = 50;
/** V8's default stack trace limit. */
const STACK_FRAMES = 10;

/**
 * The SDK stores a stack trace per promise: 10,000 signals in one task took 7.5 s of CPU with traces and 3.0
 * s without (docs/reliability.md). The task timeout is 10 s.
 */
export const interceptors = (): WorkflowInterceptors => ({
  internals: [
    {
      activate(input, next) {
        // Reflect.set does not throw if a shared context has a frozen Error.
        Reflect.set(
          Error,
          'stackTraceLimit',
          (input.activation.jobs?.length ?? 0) > MESSAGE_FLOOD_JOBS ? 0 : STACK_FRAMES,
        );
        next(input);
      },
    },
  ],
});
