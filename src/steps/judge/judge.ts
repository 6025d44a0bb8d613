import { JUDGE_DIMENSIONS } from '../../contracts/judge/dimensions';
import type { Step, StepProblem } from '../step';
import { JudgeInput, JudgeOutput } from './contract';
import { judgeTemplate, judgeVariables } from './prompt';

/** Scores a finished text in five dimensions, each with a reason and the places that are meant (document 000). */
export const judge: Step<JudgeInput, JudgeOutput, 'judge'> = {
  name: 'judge',
  version: '2',
  role: 'critic',
  input: JudgeInput,
  output: JudgeOutput,
  template: judgeTemplate,
  variables: judgeVariables,
  check({ document }, output): StepProblem[] {
    const parts = new Map(document.parts.map((part) => [part.id, part.markdown]));
    const known = new Set([...parts.keys(), ...document.topics.map(({ id }) => id)]);
    return JUDGE_DIMENSIONS.flatMap((dimension) =>
      output[dimension].places.flatMap(({ partId, quote }, index) => {
        const path = `${dimension}.places.${index}`;
        if (!known.has(partId)) return [{ path, message: `${partId} is not one of the parts` }];
        if (quote !== null && parts.get(partId)?.includes(quote) !== true)
          return [{ path, message: 'its quote does not stand in its part' }];
        return [];
      }),
    );
  },
};
