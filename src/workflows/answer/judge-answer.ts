import type { AdmittedAnswer } from '../../activities/answer/admit-answer';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { judgeAndRevise } from '../run/judging/judge-and-revise';
import { orShortfall } from '../run/shortfall';
import { activities } from './activities';
import type { AnswerRun } from './answer-run';
import { audit, writeAnew, type Context } from './attempt-steps';
import type { StandingDraft } from './carried-answer';
import type { FoundPassages } from './find-passages';
import { replyRequest } from './reply-request';

/** What an answer is written anew from. */
interface Writing {
  admitted: AdmittedAnswer;
  found: FoundPassages;
  context: Context | null;
}

/** Has an answer judged where that is asked for, and written anew with the judge's reasons where it does not pass. */
export async function judgeAnswer(run: AnswerRun, writing: Writing): Promise<void> {
  const { carried, input } = run;
  const { standing } = carried;
  if (input.judge?.enabled !== true || standing === null) return;
  carried.versions = [];
  await judgeAndRevise(run, {
    pass: 'answer',
    settings: input.judge,
    versions: carried.versions,
    first: standing,
    assemble: ({ n, text }) =>
      run.carryOut(activities.assembleAnswer, replyRequest(run, text, 'completed'), `assemble version ${n}`),
    wanting: () => [],
    async revise({ judged: { judgementRef } }, parts) {
      const text = await orShortfall(
        run,
        () => writtenAnew(run, writing, judgementRef),
        () => undefined,
      );
      return text === null ? null : { text, revised: parts };
    },
  });
}

/** As another attempt is; which text is the better one the judge says. Null where nothing came of it. */
async function writtenAnew(
  run: AnswerRun,
  { admitted: { historyRef }, found, context }: Writing,
  judgementRef: ArtifactRef,
): Promise<StandingDraft | null> {
  const { carried } = run;
  const { passagesRef } = found;
  const attempt = carried.attempts + 1;
  const since = Date.now();
  const { critique } = carried;
  const written = await writeAnew(run, { attempt, found, context, historyRef, critique, judgementRef });
  if (written === null) return null;
  carried.attempts = attempt;
  const { metrics, telemetry } = written;
  carried.measured.push({ metrics, telemetry, startedAt: since, endedAt: Date.now() });
  carried.trace.push(telemetry);
  const audited = await audit(run, written, { attempt, passagesRef, instead: null, logicalGaps: [] });
  carried.trace.push(audited.telemetry);
  carried.critique = { critiqueRef: audited.critiqueRef, passagesRef };
  return { draftRef: audited.draftRef, passagesRef };
}
