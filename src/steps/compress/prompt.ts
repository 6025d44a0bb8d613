import { shortIds, type ShortIds } from '../material/short-ids';
import { materialBlock, promptLine } from '../material/material-block';
import { PASSAGE_SYSTEM } from '../material/material-rules';
import type { StepTemplate } from '../template';
import type { CompressInput } from './contract';

/** Models count characters badly; what is a little too long is lost. */
const ASKED_SHARE = 0.9;

export const compressTemplate: StepTemplate = {
  system: PASSAGE_SYSTEM,
  user: `{{passages}}

You shorten passages for a writer who has no room for the whole of them. The writer is to answer: {{question}}

Say what each of these {{count}} passages says, in fewer than {{maxChars}} characters of plain text.
- Keep every number of the passage as it is written, with its unit and with what it counts or measures, every date, and the names that belong to them. Add no number.
- Keep what bears on the question first, and whether it is denied, doubted or limited. Use the passage's own words.
- Leave out everything else. Add nothing: no opinion, no introduction, nothing of another passage.

Answer with one JSON object: {"summaries": [{"passage": "P…", "summary": "…"}]}, one entry for each passage.`,
};

export function compressVariables(input: CompressInput, mark: string): Record<string, string> {
  const ids = compressedIds(input);
  return {
    mark,
    question: promptLine(input.question),
    passages: materialBlock(
      mark,
      'passages',
      input.passages.map(({ id, text }) => `${ids.shortOf(id)}: ${promptLine(text)}`).join('\n\n'),
    ),
    count: `${input.passages.length}`,
    maxChars: `${Math.floor(input.maxChars * ASKED_SHARE)}`,
  };
}

/** `P1` and so on, in the order of the passages. */
export function compressedIds({ passages }: Pick<CompressInput, 'passages'>): ShortIds {
  return shortIds(
    'P',
    passages.map(({ id }) => id),
  );
}
