import { evidenceProblems } from '../shared-checks/evidence-problems';
import { CrossCheckInput, CrossCheckOutput } from './contract';
import { crossCheckTemplate, crossCheckVariables } from './prompt';
import type { Step, StepProblem } from '../step';

export const crossCheck: Step<CrossCheckInput, CrossCheckOutput, 'cross-check'> = {
  name: 'cross-check',
  version: '4',
  role: 'strong',
  input: CrossCheckInput,
  output: CrossCheckOutput,
  template: crossCheckTemplate,
  variables: crossCheckVariables,
  check(input, output): StepProblem[] {
    const known = new Set(input.findings.map((finding) => finding.id));
    return [
      ...output.checks.flatMap((check): StepProblem[] => {
        const path = `checks.${check.findingId}`;
        return known.has(check.findingId)
          ? evidenceProblems(path, [...check.supporting, ...check.contradicting], input.sources)
          : [{ path, message: 'it is not one of the findings' }];
      }),
      ...output.conflicts.flatMap((conflict): StepProblem[] =>
        conflict.viewpoints.flatMap((viewpoint, index) =>
          evidenceProblems(`conflicts.${conflict.id}.viewpoints.${index}`, viewpoint.evidence, input.sources),
        ),
      ),
    ];
  },
};
