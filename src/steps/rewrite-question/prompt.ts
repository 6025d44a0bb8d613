import type { RewriteQuestionInput } from './contract';
import { materialBlock, promptLine } from '../material/material-block';
import { READER_SYSTEM } from '../material/material-rules';
import type { StepTemplate } from '../template';

export const rewriteQuestionTemplate: StepTemplate = {
  system: READER_SYSTEM,
  user: `{{tried}}

Word this question otherwise, for a search by words: {{question}}
Answer with a JSON object {"queries": [text]}.`,
};

export function rewriteQuestionVariables(input: RewriteQuestionInput, mark: string): Record<string, string> {
  return {
    mark,
    question: promptLine(input.question),
    tried: materialBlock(mark, 'tried', input.tried.map(promptLine).join('\n')),
  };
}
