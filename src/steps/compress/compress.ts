import { CompressInput, CompressOutput } from './contract';
import { compressTemplate, compressVariables } from './prompt';
import type { Step, StepProblem } from '../step';

/** Shortens passages for the writer, with their numbers (document 004). */
export const compress: Step<CompressInput, CompressOutput, 'compress'> = {
  name: 'compress',
  version: '1',
  role: 'fast',
  input: CompressInput,
  output: CompressOutput,
  template: compressTemplate,
  variables: compressVariables,
  check({ passages, maxChars }, { summaries }): StepProblem[] {
    const said = new Map(summaries.map(({ id, text }) => [id, text]));
    return passages.flatMap(({ id }): StepProblem[] => {
      const text = said.get(id);
      if (text === undefined) return [{ path: 'summaries', message: `there is none of passage ${id}` }];
      return text.length < maxChars ? [] : [{ path: `summaries.${id}`, message: 'it is too long' }];
    });
  },
};
