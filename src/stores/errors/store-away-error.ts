/** A store on another machine does not answer, or cannot for the moment. What was asked may be asked again. */
export class StoreAwayError extends Error {
  override readonly name = 'StoreAwayError';
  constructor(
    readonly path: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(
      `The store in ${path} is away: ${reason}. Runs wait for it and go on when it is back; see that it runs and can be reached.`,
      options,
    );
  }
}
