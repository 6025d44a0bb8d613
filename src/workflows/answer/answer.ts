import type { RunOutcome } from '../../contracts/run/run';
import { carryOutRun } from '../run/carry-out-run';
import { answerKind } from './answer-kind';
import { openReplyBox } from './reply-box';

/** The workflow of one reply to a question, whoever starts it; the server knows it by this name. */
export function answer(...given: unknown[]): Promise<RunOutcome> {
  const box = openReplyBox();
  return box.whileWaited(() => carryOutRun(answerKind(box), given));
}
