import { ContinueAsNew, TemporalFailure } from '@temporalio/workflow';

/**
 * Whether an error is a mistake in the workflow's own code, such as a TypeError, and no failure of something that it asked
 * for. It must fail the workflow task, which is tried again until a mended worker takes it; the run loses nothing.
 */
export function isBug(error: unknown): boolean {
  return !(error instanceof TemporalFailure) && !(error instanceof ContinueAsNew);
}

/**
 * Fails the workflow task at once, before anything that followed from the mistake becomes a command: the SDK does so for
 * a rejection that nobody handles.
 */
export function failTask(error: unknown): Promise<never> {
  // What is thrown is passed on as it is.
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
  void Promise.reject(error);
  return new Promise(() => undefined);
}
