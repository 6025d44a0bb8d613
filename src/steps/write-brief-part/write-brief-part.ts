import { draftProblems } from '../shared-checks/draft-problems';
import type { Step } from '../step';
import { WriteBriefPartInput, WriteBriefPartOutput } from './contract';
import { writeBriefPartTemplate, writeBriefPartVariables } from './prompt';

export const writeBriefPart: Step<WriteBriefPartInput, WriteBriefPartOutput, 'write-brief-part'> = {
  name: 'write-brief-part',
  version: '1',
  role: 'strong',
  input: WriteBriefPartInput,
  output: WriteBriefPartOutput,
  template: writeBriefPartTemplate,
  variables: writeBriefPartVariables,
  check: draftProblems,
};
