import { answer, type AnswerInput, type AnswerOutput } from '../../../src/steps/answer-question';
import type { Script } from '../../model-server/model-server';
import { streamAgainst } from './engine-under-test';
import { answerInput } from './passages';

/** Has a scripted model answer. */
export function written(
  script: Script,
  input = answerInput(),
): ReturnType<typeof streamAgainst<AnswerInput, AnswerOutput>> {
  return streamAgainst(answer, input, script);
}
