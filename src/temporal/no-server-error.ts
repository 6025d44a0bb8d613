/** No server is named or runs, and nobody is to start one. The command line answers it with exit code 3. */
export class NoServerError extends Error {
  override readonly name = 'NoServerError';
}
