import { OutlinePlan } from '../../contracts/report/outline';
import { outlineProblems } from '../shared-checks/outline-problems';
import { OutlineInput } from './contract';
import { outlineTemplate, outlineVariables } from './prompt';
import type { Step, StepProblem } from '../step';

/** Plans the report from all summaries: an overall theme and 5–8 sections that several sources support each. */
export const outline: Step<OutlineInput, OutlinePlan, 'outline'> = {
  name: 'outline',
  version: '6',
  role: 'fast',
  input: OutlineInput,
  output: OutlinePlan,
  template: outlineTemplate,
  variables: outlineVariables,
  check: (input, output): StepProblem[] =>
    outlineProblems(output, new Set(input.sources.map(({ sourceId }) => sourceId))),
};
