import { CancellationScope, TemporalFailure, upsertSearchAttributes } from '@temporalio/workflow';
import type { ConcludedAnswer } from '../../activities/answer/conclude-answer';
import type { RunOutcome } from '../../contracts/run/run';
import { ColligateCitations } from '../../temporal/search-attributes';
import type { FinalStatus } from '../run/kind';
import { bestVersion, judgeOf } from '../run/judging/versions';
import { counted } from '../run/publishing/run-mirror';
import { activities } from './activities';
import type { AnswerRun } from './answer-run';
import type { ReplyBox } from './reply-box';
import { replyRequest } from './reply-request';

/** Stores the reply of what there is, whatever becomes of the run meanwhile, and tells it to everybody who waits. */
export async function concludeAnswer(
  run: AnswerRun,
  status: FinalStatus,
  box: ReplyBox,
): Promise<RunOutcome> {
  return CancellationScope.nonCancellable(async () => {
    try {
      const { answer, ...outcome } = await concluded(run, status);
      const citations = answer.citations.length;
      run.carried.answerRef = outcome.reportRef;
      if (run.input.searchAttributes) upsertSearchAttributes([{ key: ColligateCitations, value: citations }]);
      run.end(status, [
        answer.outcome,
        `confidence ${answer.confidence}`,
        counted(citations, 'citation'),
        ...(answer.judge ? [`score ${answer.judge.overall} of 5`] : []),
      ]);
      box.put(answer, run.input.history);
      await box.everybodyTold();
      return outcome;
    } catch (error) {
      if (error instanceof TemporalFailure) box.fail(error);
      throw error;
    }
  });
}

function concluded(run: AnswerRun, status: FinalStatus): Promise<ConcludedAnswer> {
  const { attempts, measured, versions = [] } = run.carried;
  const { since, manifestRef = null } = run.input;
  const judge = judgeOf(versions);
  const request = {
    ...replyRequest(run, bestVersion(versions)?.text ?? run.carried.standing, status),
    failure: failureOf(run, status),
    ...(judge === null ? {} : { judge }),
    ...(since === undefined ? {} : { since: { before: since, manifestRef } }),
  };
  const citations = measured.at(-1)?.metrics.citationCount ?? 0;
  const summary = `reply · ${counted(attempts, 'attempt')}, ${counted(citations, 'citation')}, ${request.latencyMs} ms`;
  return run.outlast(
    (trial) => activities.concludeAnswer.executeWithOptions({ summary, ...trial }, [request]),
    { heedsPause: false },
  );
}

/** Why the reply is no better than it is, as a sentence; null where it was carried out to its end. */
function failureOf({ carried: { failure }, clock }: AnswerRun, status: FinalStatus): string | null {
  if (failure !== null) return failure;
  if (clock.timeIsUp) return 'The time allowed for the answer was over.';
  return status === 'cancelled' ? 'The request was cancelled.' : null;
}
