import { z } from 'zod';
import { JudgeOpinion } from '../../../contracts/judge/judgement';
import type { JudgeInput, JudgeOutput } from '../../../steps/judge/contract';
import type { StepAnswer } from './step-answer';

const MAX_OUTPUT = 2_000;

/** A judge's answer: five scores, each with its reason. */
export const judgeAnswer: StepAnswer<JudgeInput, JudgeOutput> = {
  schema: JudgeOpinion.omit({ by: true }),
  temperature: 0,
  maxOutputTokens: () => MAX_OUTPUT,
  toOutput(_input, answer) {
    const read = JudgeOpinion.omit({ by: true }).safeParse(answer);
    if (read.success) return { output: { by: 'model', ...read.data }, problems: [], warnings: [], parts: 5 };
    const message = z.prettifyError(read.error);
    const problem = { path: '', message, code: 'judge-unread', warning: 'A judgement could not be read.' };
    return { output: null, problems: [problem], warnings: [], parts: 0 };
  },
  smaller: () => [],
  merge: (_input, parts) => {
    const [first] = parts;
    if (first === undefined) throw new Error('There is no part to merge.');
    return first.output;
  },
};
