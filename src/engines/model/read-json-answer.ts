import type { Step } from '../../steps/step';
import { type Reading, unreadable } from './answers/reading';
import type { StepAnswer } from './answers/step-answer';
import { AnswerNotJsonError, jsonFromAnswer } from './json/json-answer';
import type { ModelResponse } from './port/model-client';
import { completeItems } from './json/salvage-items';
import type { PromptOf } from './prompt-messages';
import { withoutThinking } from './port/thinking';

interface ReadStep<Input, Output> {
  step: Step<Input, Output>;
  answer: StepAnswer<Input, Output>;
  prompt: PromptOf<Input>;
}

export function valueOf<Input, Output>(
  { answer }: Pick<ReadStep<Input, Output>, 'answer'>,
  response: ModelResponse,
): { value: unknown } | { unread: Reading<Output> } {
  const complete = response.finishReason !== 'length';
  if (answer.schema === null) return { value: withoutThinking(response.text) };
  let value: unknown;
  try {
    value = complete ? jsonFromAnswer(response.text, response.finishReason) : completeItems(response.text);
  } catch (error) {
    if (!(error instanceof AnswerNotJsonError)) throw error;
    const message = 'it is not JSON; answer with one JSON object and nothing else';
    return { unread: unreadable(message, 'answer-not-json') };
  }
  return { value };
}

export function readAnswerOf<Input, Output>(
  asked: ReadStep<Input, Output>,
  input: Input,
  response: ModelResponse,
): Reading<Output> {
  const read = valueOf(asked, response);
  return 'unread' in read ? read.unread : readValue(asked, input, read.value);
}

export function readValue<Input, Output>(
  { step, answer }: Pick<ReadStep<Input, Output>, 'step' | 'answer'>,
  input: Input,
  value: unknown,
): Reading<Output> {
  const reading = answer.toOutput(input, value);
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
