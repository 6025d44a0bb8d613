import { ApplicationFailure } from '@temporalio/workflow';
import { withArticle } from '../../core/writing/with-article';
import { INVALID_INPUT } from './messages';

/** A run that cannot be begun: every problem in words, and as a list in the details. */
export function invalidInput(kind: string, problems: readonly string[]): ApplicationFailure {
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
