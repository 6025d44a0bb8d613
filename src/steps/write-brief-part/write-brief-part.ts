import { citedIds } from '../../core/text/citation-marks';
import type { Step, StepProblem } from '../step';
import { WriteBriefPartInput, WriteBriefPartOutput } from './contract';
import { writeBriefPartTemplate, writeBriefPartVariables } from './prompt';

/** Writes one part of a brief, knowing the plan, how the part before ends, and what was said. */
export const writeBriefPart: Step<WriteBriefPartInput, WriteBriefPartOutput, 'write-brief-part'> = {
  name: 'write-brief-part',
  version: '1',
  role: 'strong',
  input: WriteBriefPartInput,
  output: WriteBriefPartOutput,
  template: writeBriefPartTemplate,
  variables: writeBriefPartVariables,
  check(input, output): StepProblem[] {
    const citable = new Set(input.sources.map(({ sourceId }) => sourceId));
    return citedIds(output.markdown)
      .filter((id) => !citable.has(id))
      .map((id) => ({ path: 'markdown', message: `source ${id} is cited, but was not given` }));
  },
};
