import { CompressInput, CompressOutput } from './contract';
import { compressTemplate, compressVariables } from './prompt';
import type { Step, StepProblem } from '../step';

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
    const given = new Set(passages.map(({ id }) => id));
    return [
      ...passages.flatMap(({ id }): StepProblem[] => {
        const text = said.get(id);
        if (text === undefined) return [{ path: 'summaries', message: `there is none of passage ${id}` }];
        if (text.length < maxChars) return [];
        return [{ path: `summaries.${id}`, message: `it has ${text.length} characters` }];
      }),
      ...summaries
        .filter(({ id }) => !given.has(id))
        .map(({ id }) => ({ path: 'summaries', message: `passage ${id} was not given` })),
    ];
  },
};
