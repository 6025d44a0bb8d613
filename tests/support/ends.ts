import { runInNewContext } from 'node:vm';

/** What hostile text makes quadratic takes longer than this over a million characters; what is linear a second or two. */
const NEVER_MS = 120_000;

/** Does work and returns what came of it; throws where it does not end, which no timer of a test can find out. */
export function ends<Result>(work: () => Result): Result {
  // The result is that of the work.
  return runInNewContext('work()', { work }, { timeout: NEVER_MS }) as Result;
}
