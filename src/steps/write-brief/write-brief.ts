import { citedIds } from '../../core/text/citation-marks';
import type { Step, StepProblem } from '../step';
import { WriteBriefInput, WriteBriefOutput } from './contract';
import { writeBriefTemplate, writeBriefVariables } from './prompt';

/** Writes a whole brief at once, where it is short enough to be coherent (document 000). */
export const writeBrief: Step<WriteBriefInput, WriteBriefOutput, 'write-brief'> = {
  name: 'write-brief',
  version: '1',
  role: 'strong',
  input: WriteBriefInput,
  output: WriteBriefOutput,
  template: writeBriefTemplate,
  variables: writeBriefVariables,
  check(input, output): StepProblem[] {
    const citable = new Set(input.sources.map(({ sourceId }) => sourceId));
    return output.parts.flatMap(({ id: partId, draft }) =>
      citedIds(draft.markdown)
        .filter((id) => !citable.has(id))
        .map((id) => ({ path: partId, message: `source ${id} is cited, but was not given` })),
    );
  },
};
