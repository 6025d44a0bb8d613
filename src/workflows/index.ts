import type { RunOutcome } from '../contracts/run/run';
import { answerKind } from './answer/answer-kind';
import { openReplyBox } from './answer/reply-box';
import { BRIEF } from './brief/brief-kind';
import { REPORT } from './report/report-kind';
import { carryOutRun } from './run/carry-out-run';

// The workflows, whoever starts them; the server knows them by these names.
export { content } from './content/content';
export { scheduled } from './scheduled/scheduled';
export { webhook } from './webhook/webhook';

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
