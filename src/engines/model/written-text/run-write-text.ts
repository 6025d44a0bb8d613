import { MAX_OUTPUT_TOKENS, writingTokens } from '../../../core/budget/call-estimates';
import { citedIds } from '../../../core/text/citation-marks';
import { sourceShortIds } from '../../../steps/material/short-ids';
import type { WriteTextInput, WriteTextOutput } from '../../../steps/write-text/write-text';
import { StepFailedError } from '../../step-failed-error';
import { type AskedText, createBlockCleaner, streamText } from './stream-text';

const CONTINUATIONS = 2;
/** A text with citations and tables has more tokens than its words. */
const WORDS_BESIDE = 1.6;

/** Writes a text of a report or a brief. Throws `StepFailedError` where it cites none of the sources. */
export async function runWriteText(
  asked: AskedText<WriteTextInput, WriteTextOutput>,
  input: WriteTextInput,
  onText: (text: string) => void,
): Promise<WriteTextOutput> {
  const ids = sourceShortIds(input.sources);
  const read = createBlockCleaner(input.sources, (name) => ids.idOf(name));
  const markdown = await streamText(
    asked,
    {
      input,
      cites: 'source',
      maxOutputTokens: writingTokens(input.targetWords * WORDS_BESIDE, MAX_OUTPUT_TOKENS.writeText),
      continuations: CONTINUATIONS,
      readerOf: () => read,
      halfOf: withHalfOfPassages,
    },
    onText,
  );
  if (input.sources.length > 0 && citedIds(markdown).length === 0)
    throw new StepFailedError(asked.step.name, [
      { path: 'the text', message: 'it cites none of the sources' },
    ]);
  return { markdown };
}

/** Each source with the first half of its passages. */
function withHalfOfPassages(input: WriteTextInput): WriteTextInput {
  return {
    ...input,
    sources: input.sources.map((source) => ({
      ...source,
      passages: source.passages.slice(0, Math.ceil(source.passages.length / 2)),
    })),
  };
}
