/** A writer went on with a section's text after a later attempt had begun it anew. */
export class StaleGenerationError extends Error {
  override readonly name = 'StaleGenerationError';
  constructor(
    readonly runId: string,
    readonly section: string,
    readonly generation: number,
    readonly newestGeneration: number,
  ) {
    super(
      `Generation ${generation} of section ${section} in run ${runId} is out of date: ` +
        `generation ${newestGeneration} has begun. This writer must stop.`,
    );
  }
}
