import type { CompressInput } from './contract';
import { materialBlock, promptLine } from '../material/material-block';
import { READER_SYSTEM } from '../material/material-rules';
import type { StepTemplate } from '../template';

export const compressTemplate: StepTemplate = {
  system: READER_SYSTEM,
  user: `{{passages}}

Shorten each of these passages to fewer than {{maxChars}} characters, with every number in it, for: {{question}}
Answer with a JSON object {"summaries": [{"id": id, "text": text}]}.`,
};

export function compressVariables(input: CompressInput, mark: string): Record<string, string> {
  return {
    mark,
    question: promptLine(input.question),
    maxChars: `${input.maxChars}`,
    passages: materialBlock(
      mark,
      'passages',
      input.passages.map(({ id, text }) => `${id}: ${promptLine(text)}`).join('\n'),
    ),
  };
}
