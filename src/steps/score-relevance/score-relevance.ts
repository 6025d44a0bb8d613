import { z } from 'zod';
import { OutlineSection, Relevance } from '../../contracts/report/outline';
import { SourceId } from '../../contracts/source/source';
import { SummarisedSource } from '../outline/outline';
import { scoreRelevanceTemplate, scoreRelevanceVariables } from './prompt';
import type { Step, StepProblem } from '../step';

export const ScoreRelevanceInput = z.object({
  question: z.string(),
  /** The sections that the report is to have, with the sources that the plan found for them. */
  sections: z.array(OutlineSection).min(1),
  sources: z.array(SummarisedSource),
});
export type ScoreRelevanceInput = z.infer<typeof ScoreRelevanceInput>;

export const ScoreRelevanceOutput = z.object({
  scores: z.array(
    z.object({
      sourceId: SourceId,
      sections: z.array(z.object({ sectionId: z.string(), relevance: Relevance })),
    }),
  ),
});
export type ScoreRelevanceOutput = z.infer<typeof ScoreRelevanceOutput>;

/** How much each source has to say to each section, whether the plan named it there or not (document 002). */
export const scoreRelevance: Step<ScoreRelevanceInput, ScoreRelevanceOutput> = {
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
