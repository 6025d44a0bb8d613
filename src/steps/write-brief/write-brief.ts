import { draftProblems } from '../shared-checks/draft-problems';
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
    const findings = input.subtopics.flatMap((subtopic) => subtopic.findings);
    const wanted = new Set(input.parts.map(({ id }) => id));
    return output.parts.flatMap(({ id, draft }) => [
      // Each is written once.
      ...(wanted.delete(id) ? [] : [{ path: id, message: 'it is not one of the parts, or is there twice' }]),
      ...draftProblems({ sources: input.sources, findings }, draft).map(({ path, message }) => ({
        path: `${id}.${path}`,
        message,
      })),
    ]);
  },
};
