import type { StepContext, StepResult } from '../../../../src/engines/engine';
import { answer } from '../../../../src/steps/answer/answer';
import type { AnswerInput, AnswerOutput } from '../../../../src/steps/answer/contract';
import type { Script } from '../../../model-server/model-server';
import { context, engineAgainst, type EngineUnderTest } from '../engine-under-test';
import { answerInput } from './passages';

/** Has a scripted model answer, and makes sure that what was streamed is what stands. */
export async function written(
  script: Script,
  input: AnswerInput = answerInput(),
  changes: Partial<StepContext> = {},
): Promise<StepResult<AnswerOutput> & { chunks: string[] } & EngineUnderTest> {
  const under = await engineAgainst(script);
  const chunks: string[] = [];
  const onText = (text: string): void => void chunks.push(text);
  const result = await under.engine.run(answer, input, context({ onText, ...changes }));
  expect(chunks.join('')).toBe(result.output.markdown);
  return { ...result, ...under, chunks };
}
