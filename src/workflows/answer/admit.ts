import type { AdmittedAnswer } from '../../activities/answer/admit-answer';
import { activities as shared } from '../run/activities';
import { keepWarnings } from '../run/carried-run';
import { invalidInput } from '../run/invalid-input';
import { activities } from './activities';
import type { AnswerRun } from './answer-run';

/**
 * Before anything is done for an answer: what it may rest on is stored and looked at, so that whoever gave something else is
 * told at once; the conversation is taken up; the step versions are pinned where it came without, and the prompts that its steps have elsewhere; and what an earlier run of
 * the same id told is forgotten.
 */
export async function admit(run: AnswerRun): Promise<AdmittedAnswer> {
  const { input, carried } = run;
  const {
    runId,
    kind,
    engine,
    history,
    historyRef: turnsRef,
    conversationId,
    sourceCount,
    answers,
    critique,
  } = input;
  const {
    observations,
    observationsRef,
    documents,
    manifestRef,
    finalOutput,
    finalOutputRef: outputRef,
  } = input;
  const request = {
    runId,
    engine,
    history,
    historyRef: turnsRef,
    conversationId,
    maxHistory: answers.maxHistory,
    critique,
    observations,
    observationsRef,
    documents,
    manifestRef,
    sourceCount,
    finalOutput,
    finalOutputRef: outputRef,
  };
  const admitted = await run.carryOut(activities.admitAnswer, request, 'look at what it may rest on');
  if (admitted.problems.length > 0) throw invalidInput(kind, admitted.problems);
  const { stepVersions, promptsRef, formerLogBegunAt: begunAt } = admitted;
  // The run's brief has the same record.
  if (Object.keys(input.stepVersions).length === 0) Object.assign(input.stepVersions, stepVersions);
  if (promptsRef !== null) run.usePrompts(promptsRef);
  keepWarnings(carried, admitted.warnings);
  const { historyRef, finalOutputRef, observationCount } = admitted;
  carried.admitted = { historyRef, finalOutputRef, observationCount };
  if (begunAt !== null)
    await run.carryOut(shared.forgetFormerEvents, { runId, begunAt }, 'forget the run before');
  return admitted;
}
