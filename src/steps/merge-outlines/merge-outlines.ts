import { OutlinePlan } from '../../contracts/report/outline';
import { MergeOutlinesInput } from './contract';
import { mergeOutlinesTemplate, mergeOutlinesVariables } from './prompt';
import { outlineProblems } from '../shared-checks/outline-problems';
import type { Step, StepProblem } from '../step';

export const mergeOutlines: Step<MergeOutlinesInput, OutlinePlan, 'merge-outlines'> = {
  name: 'merge-outlines',
  version: '3',
  role: 'fast',
  input: MergeOutlinesInput,
  output: OutlinePlan,
  template: mergeOutlinesTemplate,
  variables: mergeOutlinesVariables,
  check(input, output): StepProblem[] {
    const planned = (plans: readonly OutlinePlan[]): Set<string> =>
      new Set(
        plans.flatMap(({ sections }) =>
          sections.flatMap(({ relevantSources }) => relevantSources.map(({ sourceId }) => sourceId)),
        ),
      );
    const known = planned(input.plans);
    const nearest = input.plans.flatMap(({ unanswered }) => unanswered?.nearest ?? []);
    const kept = planned([output]);
    const lost = [...known].filter((id) => !kept.has(id));
    return [
      ...outlineProblems(output, new Set([...known, ...nearest])),
      ...(lost.length === 0
        ? []
        : [{ path: 'sections', message: `${lost.length} planned sources were lost` }]),
    ];
  },
};
