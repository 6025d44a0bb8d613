import { RewriteQuestionInput, RewriteQuestionOutput } from './contract';
import { rewriteQuestionTemplate, rewriteQuestionVariables } from './prompt';
import type { Step } from '../step';

/** Words a question otherwise, so that a search finds what its own words do not. */
export const rewriteQuestion: Step<RewriteQuestionInput, RewriteQuestionOutput, 'rewrite-question'> = {
  name: 'rewrite-question',
  version: '1',
  role: 'fast',
  input: RewriteQuestionInput,
  output: RewriteQuestionOutput,
  template: rewriteQuestionTemplate,
  variables: rewriteQuestionVariables,
  check: () => [],
};
