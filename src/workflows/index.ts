import type { RunOutcome } from '../contracts/run';
import { answerDefinition } from './answer';
import { createPendingReply } from './answer-request';
import { BRIEF_DEFINITION } from './brief';
import { REPORT_DEFINITION } from './report';
import { executeRun } from './run';

// The server knows workflows by these names.
export { content } from './run';
export { scheduled } from './scheduled-report';
export { webhook } from './run';

export function report(...given: unknown[]): Promise<RunOutcome> {
  return executeRun(REPORT_DEFINITION, given);
}

export function brief(...given: unknown[]): Promise<RunOutcome> {
  return executeRun(BRIEF_DEFINITION, given);
}

export function answer(...given: unknown[]): Promise<RunOutcome> {
  const box = createPendingReply();
  return box.whileWaited(() => executeRun(answerDefinition(box), given));
}
