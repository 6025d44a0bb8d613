import { AnswerInput, AnswerOutput } from './contract';
import { answerTemplate, answerVariables } from './prompt';
import type { Step, StepProblem } from '../step';

/** Answers a question from passages alone, each claim with the passages that it cites (documents 001, 003, 004). */
export const answer: Step<AnswerInput, AnswerOutput, 'answer'> = {
  name: 'answer',
  version: '1',
  role: 'fast',
  input: AnswerInput,
  output: AnswerOutput,
  template: answerTemplate,
  variables: answerVariables,
  check(input, { sentences }): StepProblem[] {
    const known = new Set(input.passages.map(({ id }) => id));
    return sentences.flatMap(({ passageIds }, index) =>
      passageIds
        .filter((id) => !known.has(id))
        .map((id) => ({ path: `sentences.${index}`, message: `there is no passage ${id}` })),
    );
  },
};
