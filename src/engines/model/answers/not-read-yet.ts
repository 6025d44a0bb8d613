import type { StepAnswer } from './step-answer';

/** An answer of which nothing is taken, so that the step is done by quoting. */
export function notReadYet<Input, Output>(): StepAnswer<Input, Output> {
  return {
    schema: null,
    temperature: 0,
    maxOutputTokens: () => 10,
    toOutput: () => ({
      output: null,
      problems: [{ path: '', message: 'not read', code: 'not-read', warning: 'An answer is not read.' }],
      warnings: [],
      parts: 0,
    }),
    smaller: () => [],
    merge: (_input, parts) => {
      const [first] = parts;
      if (first === undefined) throw new Error('There is no part to merge.');
      return first.output;
    },
  };
}
