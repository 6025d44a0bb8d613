import type { AnswerInput } from './contract';
import { materialBlock, promptLine } from '../material/material-block';
import { READER_SYSTEM } from '../material/material-rules';
import type { StepTemplate } from '../template';

export const answerTemplate: StepTemplate = {
  system: READER_SYSTEM,
  user: `{{passages}}

Answer from these passages alone: {{question}}`,
};

export function answerVariables(input: AnswerInput, mark: string): Record<string, string> {
  return {
    mark,
    question: promptLine(input.question),
    passages: materialBlock(
      mark,
      'passages',
      input.passages.map(({ text }, at) => `[${at + 1}] ${promptLine(text)}`).join('\n'),
    ),
  };
}
