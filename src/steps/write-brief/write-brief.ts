import { draftProblems } from '../shared-checks/draft-problems';
import type { Step, StepProblem } from '../step';
import { WriteBriefInput, WriteBriefOutput } from './contract';
import { writeBriefTemplate, writeBriefVariables } from './prompt';

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
      ...(wanted.delete(id) ? [] : [{ path: id, message: 'it is not one of the parts, or is there twice' }]),
      ...draftProblems({ sources: input.sources, findings }, draft).map(({ path, message }) => ({
        path: `${id}.${path}`,
        message,
      })),
    ]);
  },
};
