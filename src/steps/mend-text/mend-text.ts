import { z } from 'zod';
import { SourceWindow } from '../../contracts/source/passage';
import { replaceMarks } from '../../core/text/citation-marks';
import { statementShortIds } from '../audit-text/audit-text';
import { materialBlock, promptLine } from '../material/material-block';
import { READER_SYSTEM } from '../material/material-rules';
import { type ShortIds, sourceShortIds, withShortIds } from '../material/short-ids';
import { sourceBlocks } from '../material/source-blocks';
import type { Step } from '../step';

const Fault = z.object({
  /** The sentences to change; of a wrong sentence, itself. */
  statementIds: z.array(z.string()).min(1),
  reason: z.string(),
  /** True where what is missing is to be added, so that the text may grow. */
  mayGrow: z.boolean(),
  /** True where the sentence only says a little too much. */
  isWording: z.boolean().optional(),
});

export const MendTextInput = z.object({
  question: z.string(),
  /** The passages that the faults are about. */
  sources: z.array(SourceWindow),
  /** The paragraphs with faults, sentence by sentence in order; `block` numbers the paragraphs. */
  statements: z.array(z.object({ id: z.string(), part: z.string(), block: z.int(), text: z.string() })),
  faults: z.array(Fault).min(1),
});
export type MendTextInput = z.infer<typeof MendTextInput>;

export const MendTextOutput = z.object({
  /** `text` with citation marks; empty to delete the sentence. */
  edits: z.array(z.object({ statementId: z.string(), text: z.string() })),
});
export type MendTextOutput = z.infer<typeof MendTextOutput>;

/** Mends single sentences of a text; all others stay as they are. */
export const mendText: Step<MendTextInput, MendTextOutput, 'mend-text'> = {
  name: 'mend-text',
  version: '2',
  role: 'strong',
  input: MendTextInput,
  output: MendTextOutput,
  template: {
    system: READER_SYSTEM,
    user: `{{sources}}

{{statements}}

{{faults}}

You wrote a text that answers: {{question}}
Above are the paragraphs in which a reviewer found faults, sentence by sentence, and the faults. Mend only the sentences named in them, and the sentence right behind one where it refers to what is gone. Each other sentence stays as it is, byte for byte.
- Delete a sentence that the text does not need: give "" as its text. Else say what the sources say, as firmly as they allow, in a plain sentence about as long as the old one, without a word on what was wrong before. Where something is missing, add a sentence.
- Read the paragraph with the new sentence: what refers to the sentence before still has to refer to it.
- A sentence in a table row is the whole row, with its bars. A sentence of a list has no marker.
- Cite as before, [S1] before the full stop, only sources that say it.

Answer with a JSON object {"edits": [{"sentence": "T…", "text": "…"}]}, an edit for each sentence that changes.`,
  },
  variables(input, mark) {
    const ids = sourceShortIds(input.sources);
    return {
      mark,
      question: promptLine(input.question),
      sources: sourceBlocks(mark, input.sources, ids),
      statements: materialBlock(mark, 'paragraphs', paragraphs(input, ids)),
      faults: materialBlock(mark, 'faults', faultLines(input, ids)),
    };
  },
  check: () => [],
};

function paragraphs(input: MendTextInput, sources: ShortIds): string {
  const ids = statementShortIds(input);
  let place = '';
  return input.statements
    .flatMap(({ id, part, block, text }) => {
      const own = `${part} ${block}`;
      const heading = own === place ? [] : ['', `[${promptLine(part)}]`];
      place = own;
      const marked = withShortIds(text, sources, input.sources);
      return [...heading, `${ids.shortOf(id)}: ${promptLine(marked)}`];
    })
    .join('\n')
    .trim();
}

function faultLines(input: MendTextInput, sources: ShortIds): string {
  const ids = statementShortIds(input);
  const known = new Set(input.sources.map(({ sourceId }) => sourceId));
  return input.faults
    .map(({ statementIds, reason, mayGrow, isWording = false }) => {
      const names = statementIds.map((id) => ids.shortOf(id)).join(', ');
      const said = replaceMarks(reason, (cited) =>
        cited.map((id) => (known.has(id) ? sources.shortOf(id) : 'another source')).join(', '),
      );
      return `- ${names}: ${promptLine(said)}${mayGrow ? ' (the text may grow for it)' : ''}${isWording ? ' (change only the words that say too much)' : ''}`;
    })
    .join('\n');
}
