import { ScoreRelevanceInput, ScoreRelevanceOutput } from './contract';
import { scoreRelevanceTemplate, scoreRelevanceVariables } from './prompt';
import type { Step, StepProblem } from '../step';

/** How much each source has to say to each section, whether the plan named it there or not (document 002). */
export const scoreRelevance: Step<ScoreRelevanceInput, ScoreRelevanceOutput, 'score-relevance'> = {
  name: 'score-relevance',
  version: '2',
  role: 'fast',
  input: ScoreRelevanceInput,
  output: ScoreRelevanceOutput,
  template: scoreRelevanceTemplate,
  variables: scoreRelevanceVariables,
  check(input, output): StepProblem[] {
    const sources = new Set(input.sources.map(({ sourceId }) => sourceId));
    const sections = new Set(input.sections.map(({ id }) => id));
    return output.scores.flatMap(({ sourceId, sections: scored }): StepProblem[] => [
      ...(sources.has(sourceId) ? [] : [{ path: 'scores', message: `source ${sourceId} was not asked for` }]),
      ...scored
        .filter(({ sectionId }) => !sections.has(sectionId))
        .map(({ sectionId }) => ({
          path: `scores.${sourceId}`,
          message: `there is no section ${sectionId}`,
        })),
    ]);
  },
};
