import { ApplicationFailure } from '@temporalio/workflow';
import { withArticle } from '../../core/writing/with-article';
import { toldProblems } from './input/start-problems';
import { INVALID_INPUT } from './messages';

/** A run that cannot be begun: its problems in words, and as a list in the details. */
export function invalidInput(kind: string, found: readonly string[]): ApplicationFailure {
  const problems = toldProblems(found);
  return ApplicationFailure.create({
    message: `The input is not that of ${withArticle(kind)}: ${problems.join('; ')}`,
    type: INVALID_INPUT,
    nonRetryable: true,
    details: [{ problems }],
  });
}

export function isInvalidInput(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === INVALID_INPUT;
}
