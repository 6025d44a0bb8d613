import { ScoreRelevanceInput, ScoreRelevanceOutput } from './contract';
import type { Step, StepProblem } from '../step';
import { sourceShortIds } from '../material/short-ids';
import type { StepTemplate } from '../template';
import { materialBlock, promptLine } from '../material/material-block';
import { READER_SYSTEM } from '../material/material-rules';
import { summaryBlocks } from '../material/summary-blocks';

const scoreRelevanceTemplate: StepTemplate = {
  system: READER_SYSTEM,
  user: `{{sources}}

You score how much sources have to say to the sections of a planned report, from their summaries.

The report is to answer: {{question}}

Its sections:
{{sections}}

Score each of these {{count}} sources for each of the {{sectionCount}} sections, from 0 to 1: 0.9 to 1 highly relevant (it answers what the section asks), 0.7 to 0.9 relevant (it has results on it), 0.5 to 0.7 somewhat relevant (it touches on it), below that hardly or not at all. "relevance" has one number for each section, in the order of the sections.

Answer with one JSON object:
{"scores": [{"source": "S…", "relevance": [<0 to 1>, …]}]}`,
};

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

function scoreRelevanceVariables(input: ScoreRelevanceInput, mark: string): Record<string, string> {
  const ids = sourceShortIds(input.sources);
  const sections = input.sections.map(
    ({ title, description }, at) => `${at + 1}. ${promptLine(title)}: ${promptLine(description)}`,
  );
  return {
    mark,
    question: promptLine(input.question),
    sections: materialBlock(mark, 'sections', sections.join('\n')),
    sources: summaryBlocks(mark, input.sources, ids),
    count: `${input.sources.length}`,
    sectionCount: `${input.sections.length}`,
  };
}
