import type { ConcludeAnswerInput } from '../../activities/answer/conclude-answer';
import type { FinalStatus } from '../run/kind';
import { usageOf } from '../run/publishing/run-mirror';
import type { AnswerRun, StandingDraft } from './carried-answer';

/** What a reply is made of, with this text; nothing is said of a failure or a judge. */
export function replyRequest(
  { carried, facts, input }: AnswerRun,
  text: StandingDraft | null,
  status: FinalStatus,
): ConcludeAnswerInput {
  const { admitted, attempts, critique, measured, overCompression, trace, warnings } = carried;
  return {
    run: facts,
    status,
    observationCount: admitted?.observationCount ?? 0,
    finalOutputRef: admitted?.finalOutputRef ?? null,
    passagesRef: text?.passagesRef ?? carried.passagesRef,
    draftRef: text?.draftRef ?? null,
    critique,
    measured,
    attempts,
    overCompression,
    trace,
    warnings,
    failure: null,
    usage: usageOf(carried).total,
    ...(input.estimate === undefined ? {} : { estimate: input.estimate }),
    latencyMs: Date.now() - Date.parse(carried.startedAt),
  };
}
