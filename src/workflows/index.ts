import type { RunOutcome } from '../contracts/run';
import { answerKind } from './answer';
import { openReplyBox } from './answer-request';
import { BRIEF } from './brief';
import { REPORT } from './report';
import { carryOutRun } from './run';

// The server knows workflows by these names.
export { content } from './run';
export { scheduled } from './scheduled-report';
export { webhook } from './run';

export function report(...given: unknown[]): Promise<RunOutcome> {
  return carryOutRun(REPORT, given);
}

export function brief(...given: unknown[]): Promise<RunOutcome> {
  return carryOutRun(BRIEF, given);
}

export function answer(...given: unknown[]): Promise<RunOutcome> {
  const box = openReplyBox();
  return box.whileWaited(() => carryOutRun(answerKind(box), given));
}
