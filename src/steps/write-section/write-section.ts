import { draftProblems } from '../shared-checks/draft-problems';
import { WriteSectionInput, WriteSectionOutput } from './contract';
import { WITHOUT_PROMPT } from '../template';
import type { Step } from '../step';

export const writeSection: Step<WriteSectionInput, WriteSectionOutput, 'write-section'> = {
  name: 'write-section',
  version: '11',
  role: 'strong',
  input: WriteSectionInput,
  output: WriteSectionOutput,
  template: WITHOUT_PROMPT,
  variables: () => ({}),
  check: draftProblems,
};
