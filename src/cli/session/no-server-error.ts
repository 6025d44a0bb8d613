/** No server runs, and the command is not one that starts one. The answer is exit code 3. */
export class NoServerError extends Error {
  override readonly name = 'NoServerError';
}
