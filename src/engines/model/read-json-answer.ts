import type { Step } from '../../steps/step';
import { type Reading, unreadable } from './answers/reading';
import type { StepAnswer } from './answers/step-answer';
import { createEchoes } from './grounding/echoes';
import { AnswerNotJsonError, jsonFromAnswer } from './json/json-answer';
import type { ModelResponse } from './port/model-client';
import { completeItems } from './json/salvage-items';
import type { PromptOf } from './prompt-messages';
import type { StepCalls } from './step-calls';
import { withoutThinking } from './port/thinking';

interface ReadStep<Input, Output> {
  step: Step<Input, Output>;
  answer: StepAnswer<Input, Output>;
  prompt: PromptOf<Input>;
  calls: Pick<StepCalls, 'judge'>;
}

/** What an answer comes to, the step's own check included. */
export function readAnswerOf<Input, Output>(
  { step, answer, prompt, calls }: ReadStep<Input, Output>,
  input: Input,
  response: ModelResponse,
): Reading<Output> {
  const complete = response.finishReason !== 'length';
  let value: unknown;
  if (answer.schema === null) value = withoutThinking(response.text);
  else {
    try {
      value = complete ? jsonFromAnswer(response.text, response.finishReason) : completeItems(response.text);
    } catch (error) {
      if (!(error instanceof AnswerNotJsonError)) throw error;
      calls.judge(response, false);
      return unreadable('it is not JSON; answer with one JSON object and nothing else', 'answer-not-json');
    }
    if (complete) calls.judge(response, answer.schema.safeParse(value).success);
  }
  const reading = answer.toOutput(input, value, createEchoes(prompt(input)));
  if (reading.output === null) return reading;
  const broken = [
    ...(step.output.safeParse(reading.output).error?.issues ?? []).map((issue) => ({
      path: issue.path.join('.'),
      message: issue.message,
    })),
    ...step.check(input, reading.output),
  ];
  if (broken.length === 0) return reading;
  const problems = broken.map((problem) => ({
    ...problem,
    code: 'answer-invalid',
    warning: 'A model’s answer broke its step’s contract.',
  }));
  return { ...reading, output: null, problems: [...reading.problems, ...problems] };
}
