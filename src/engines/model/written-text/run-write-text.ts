import { MAX_OUTPUT_TOKENS, writingTokens } from '../../../core/budget/call-estimates';
import { citedIds } from '../../../core/text/citation-marks';
import { sourceShortIds } from '../../../steps/material/short-ids';
import type { WriteTextInput, WriteTextOutput } from '../../../steps/write-text/write-text';
import { StepFailedError } from '../../step-failed-error';
import { shortenedSources, shortenedText } from './shortened-material';
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
      shortened: shortenedInput,
      materialChars,
    },
    onText,
  );
  if (input.sources.length > 0 && citedIds(markdown).length === 0)
    throw new StepFailedError(asked.step.name, [
      { path: 'the text', message: 'it cites none of the sources' },
    ]);
  return { markdown };
}

/** The text with so large a share of its material: of the sources' passages, else of the text so far. */
function shortenedInput(input: WriteTextInput, share: number): WriteTextInput | null {
  const { form } = input;
  const sources = shortenedSources(input.sources, share, { passagesAreWhole: form.kind === 'brief' });
  if (sources !== null) return { ...input, sources };
  if (form.kind === 'whole') return null;
  const soFar = shortenedText(form.soFar, share);
  return soFar === null ? null : { ...input, form: { ...form, soFar } };
}

/** How many characters of the prompt can be left out. */
function materialChars({ sources, form }: WriteTextInput): number {
  const passages = sources.flatMap((source) => source.passages);
  const ofSources = passages.reduce((sum, { text }) => sum + text.length, 0);
  return ofSources > 0 || form.kind === 'whole' ? ofSources : form.soFar.length;
}
