import { textTokens } from '../../../core/budget/call-estimates';
import { citedIds } from '../../../core/text/citation-marks';
import { sourceShortIds } from '../../../steps/material/short-ids';
import type { WriteTextInput, WriteTextOutput } from '../../../steps/write-text/write-text';
import { StepFailedError } from '../../step-failed-error';
import { sourcesIn } from '../refused-sources';
import { shortenedSources, shortenedText } from './shortened-material';
import { type AskedText, createBlockCleaner, streamText } from './stream-text';

const CONTINUATIONS = 2;

/** Writes a text of a report or a brief. Throws `StepFailedError` where it cites none of the sources. */
export async function runWriteText(
  asked: AskedText<WriteTextInput, WriteTextOutput>,
  input: WriteTextInput,
  onText: (text: string) => void,
): Promise<WriteTextOutput> {
  const { markdown, why } = await streamText(
    asked,
    {
      input,
      cites: 'source',
      maxOutputTokens: textTokens(input.targetWords),
      continuations: CONTINUATIONS,
      readerOf: ({ sources }) => {
        const ids = sourceShortIds(sources);
        return createBlockCleaner(sources, (name) => ids.idOf(name));
      },
      shortened: shortenedInput,
      materialChars,
      refusable: { of: sourcesIn, without: withoutSources },
    },
    onText,
  );
  if (input.sources.length > 0 && citedIds(markdown).length === 0)
    throw new StepFailedError(
      asked.step.name,
      [{ path: 'the text', message: 'it cites none of the sources' }],
      why ?? { reason: 'uncited' },
    );
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

/** A finding that rests on these sources alone goes with them. */
function withoutSources(input: WriteTextInput, ids: ReadonlySet<string>): WriteTextInput {
  const sources = input.sources.filter(({ sourceId }) => !ids.has(sourceId));
  if (input.form.kind !== 'section') return { ...input, sources };
  const findings = input.form.findings.flatMap((finding) => {
    const evidence = finding.evidence.filter(({ sourceId }) => !ids.has(sourceId));
    const citations = finding.citations.filter((id) => !ids.has(id));
    return evidence.length === 0 ? [] : [{ ...finding, evidence, citations }];
  });
  return { ...input, sources, form: { ...input.form, findings } };
}
