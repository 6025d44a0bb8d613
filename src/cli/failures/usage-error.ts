/** What the user asked for cannot be done as it was asked: every problem found, each a whole sentence for the user. */
export class UsageError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'UsageError';
    this.problems = problems;
  }
}
