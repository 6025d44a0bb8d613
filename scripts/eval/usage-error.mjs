/** Something is wrong with how a suite was called, or with a file that it was given; said in one sentence, with exit code 2. */
export class UsageError extends Error {
  name = 'UsageError';
}
