/** The process lacks something that its first request or run needs. The command line answers it with exit code 2. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
