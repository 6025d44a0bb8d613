import { SummariseInput, SummariseOutput } from './contract';
import { summariseTemplate, summariseVariables } from './prompt';
import type { Step, StepProblem } from '../step';

/** What each source of a batch says, in at most 1,000 characters: its results first, with their numbers. */
export const summarise: Step<SummariseInput, SummariseOutput, 'summarise'> = {
  name: 'summarise',
  version: '3',
  role: 'fast',
  input: SummariseInput,
  output: SummariseOutput,
  template: summariseTemplate,
  variables: summariseVariables,
  check(input, output): StepProblem[] {
    const answered = new Set(output.summaries.map((summary) => summary.sourceId));
    const asked = new Set(input.sources.map((source) => source.sourceId));
    return [
      ...[...asked]
        .filter((id) => !answered.has(id))
        .map((id) => ({ path: 'summaries', message: `no summary of source ${id}` })),
      ...[...answered]
        .filter((id) => !asked.has(id))
        .map((id) => ({ path: 'summaries', message: `source ${id} was not asked for` })),
    ];
  },
};
