import type { Step, StepProblem } from '../step';
import { PlanBriefInput, PlanBriefOutput } from './contract';
import { planBriefTemplate, planBriefVariables } from './prompt';

export const planBrief: Step<PlanBriefInput, PlanBriefOutput, 'plan-brief'> = {
  name: 'plan-brief',
  version: '1',
  role: 'strong',
  input: PlanBriefInput,
  output: PlanBriefOutput,
  template: planBriefTemplate,
  variables: planBriefVariables,
  check(input, output): StepProblem[] {
    const known = new Set(input.subtopics.flatMap(({ findings }) => findings.map(({ id }) => id)));
    const wanted = input.parts.map(({ id }) => id).join();
    const problems = output.parts.flatMap(({ findingIds }, index) =>
      findingIds
        .filter((id) => !known.has(id))
        .map((id) => ({ path: `parts.${index}.findingIds`, message: `${id} is not one of the findings` })),
    );
    const inBody = output.parts
      .filter(({ id }) => id.startsWith('subtopic-'))
      .flatMap(({ findingIds }) => findingIds);
    for (const id of new Set(inBody.filter((id, at) => inBody.indexOf(id) !== at)))
      problems.push({ path: 'parts', message: `${id} is told in two subtopics` });
    if (output.parts.map(({ id }) => id).join() !== wanted)
      problems.push({ path: 'parts', message: `they must be ${wanted}, in that order` });
    return problems;
  },
};
