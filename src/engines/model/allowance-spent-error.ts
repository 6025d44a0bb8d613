/** What a step may use is used up, so that it cannot ask again. */
export class AllowanceSpentError extends Error {
  override readonly name = 'AllowanceSpentError';

  constructor(step: string) {
    super(`Step ${step} has used the tokens that were reserved for it.`);
  }
}
