import { JUDGE_DIMENSIONS } from '../../contracts/judge/dimensions';
import { materialBlock, promptLine } from '../material/material-block';
import { READER_SYSTEM } from '../material/material-rules';
import type { StepTemplate } from '../template';
import type { JudgeInput } from './contract';

export const judgeTemplate: StepTemplate = {
  system: READER_SYSTEM,
  user: `{{text}}

{{topics}}

The text is to answer: {{question}}
Score it from 1 to 5 in each of these dimensions:
{{rubric}}`,
};

export function judgeVariables({ document, settings }: JudgeInput, mark: string): Record<string, string> {
  return {
    mark,
    question: promptLine(document.question),
    text: materialBlock(
      mark,
      'text',
      document.parts.map(({ id, title, markdown }) => `[${id}] ${title}\n${markdown}`).join('\n\n'),
    ),
    topics: materialBlock(mark, 'topics', document.topics.map(({ title }) => promptLine(title)).join('\n')),
    rubric: JUDGE_DIMENSIONS.map((name) => `- ${name}: ${settings.rubric[name].asks}`).join('\n'),
  };
}
