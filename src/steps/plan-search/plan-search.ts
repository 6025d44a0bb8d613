import { sentenceKey } from '../../core/duplicates/near-duplicate-sentences';
import type { Step, StepProblem } from '../step';
import { PlanSearchInput, PlanSearchOutput } from './contract';
import { planSearchTemplate, planSearchVariables } from './prompt';

/** Says what indexes are asked for, from a question and from what is left open. */
export const planSearch: Step<PlanSearchInput, PlanSearchOutput, 'plan-search'> = {
  name: 'plan-search',
  version: '1',
  role: 'fast',
  input: PlanSearchInput,
  output: PlanSearchOutput,
  template: planSearchTemplate,
  variables: planSearchVariables,
  check({ tried, most }, { queries }): StepProblem[] {
    const known = new Set(tried.map(sentenceKey));
    return queries.flatMap((query, index): StepProblem[] => {
      const at = { path: `queries.${index}` };
      const key = sentenceKey(query);
      if (index >= most) return [{ ...at, message: `there are more than ${most}` }];
      if (known.has(key)) return [{ ...at, message: 'it was searched for already' }];
      known.add(key);
      return [];
    });
  },
};
