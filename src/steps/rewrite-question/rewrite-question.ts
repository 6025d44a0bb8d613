import { sentenceKey } from '../../core/duplicates/near-duplicate-sentences';
import { RewriteQuestionInput, RewriteQuestionOutput } from './contract';
import { rewriteQuestionTemplate, rewriteQuestionVariables } from './prompt';
import type { Step, StepProblem } from '../step';

/** Words a question otherwise, so that a search finds what its own words do not. */
export const rewriteQuestion: Step<RewriteQuestionInput, RewriteQuestionOutput, 'rewrite-question'> = {
  name: 'rewrite-question',
  version: '1',
  role: 'fast',
  input: RewriteQuestionInput,
  output: RewriteQuestionOutput,
  template: rewriteQuestionTemplate,
  variables: rewriteQuestionVariables,
  check({ question, tried }, { queries }): StepProblem[] {
    const known = new Set([question, ...tried].map(sentenceKey));
    return queries.flatMap((query, index): StepProblem[] => {
      const key = sentenceKey(query);
      if (known.has(key)) return [{ path: `queries.${index}`, message: 'it was looked for already' }];
      known.add(key);
      return [];
    });
  },
};
