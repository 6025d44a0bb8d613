import { citedIds } from '../../core/text/citation-marks';
import { WriteSummaryInput, WriteSummaryOutput } from './contract';
import { WITHOUT_PROMPT } from '../template';
import type { Step, StepProblem } from '../step';

export const writeSummary: Step<WriteSummaryInput, WriteSummaryOutput, 'write-summary'> = {
  name: 'write-summary',
  version: '10',
  role: 'strong',
  input: WriteSummaryInput,
  output: WriteSummaryOutput,
  template: WITHOUT_PROMPT,
  variables: () => ({}),
  check(input, output): StepProblem[] {
    const citable = new Set(input.sources.map((source) => source.sourceId));
    return output.bullets.flatMap((bullet, index) =>
      citedIds(bullet)
        .filter((id) => !citable.has(id))
        .map((id) => ({ path: `bullets.${index}`, message: `source ${id} is cited, but was not given` })),
    );
  },
};
