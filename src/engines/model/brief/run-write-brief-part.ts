import type { WriteBriefPartInput, WriteBriefPartOutput } from '../../../steps/write-brief-part/contract';
import { sentenceKey } from '../../../core/duplicates/near-duplicate-sentences';
import { replaceMarks } from '../../../core/text/citation-marks';
import { StepFailedError } from '../../step-failed-error';
import { createTextWriter } from '../text/text-writer';
import { writeOnFindings } from '../text/write-on-findings';
import type { AskedText } from '../text/writing';
import { PART_FORM } from './part-form';
import { revisedPart, standingPart } from './revised-part';
import { withSetAside } from './set-aside-places';

/**
 * Writes a part of a brief; `onText` gets what will stand, and nothing that is taken back. Where a text is revised, what was
 * not named stays as it is, and it stands whole where nothing comes of the revision.
 */
export async function runWriteBriefPart(
  asked: AskedText<WriteBriefPartInput, WriteBriefPartOutput>,
  input: WriteBriefPartInput,
  onText: (text: string) => void,
): Promise<WriteBriefPartOutput> {
  const { revision } = input;
  const writer = createTextWriter(revision === null ? onText : (): void => undefined);
  const elsewhere = keysOfTold(input);
  const said = (): ReadonlySet<string> => new Set([...elsewhere, ...writer.said()]);
  await writeOnFindings(PART_FORM, asked, input, { ...writer, said });
  const written = writer.draft();
  if (revision === null) return checked(asked, input, written);
  const standing = standingPart(input, revision);
  if (written.claims.length === 0 && standing.claims.length > 0)
    asked.warn({
      code: 'revision-unusable',
      message: 'Nothing of a revised part could be used; it stays as it was.',
    });
  const kept = written.claims.length === 0 ? standing : revisedPart(standing, written, revision);
  const whole = withSetAside(kept, standing.checked?.sentences ?? [], revision);
  const draft = checked(asked, input, whole);
  onText(draft.markdown);
  return draft;
}

/** The sentences that are not to stand once more; the opening and the end may point at what others say, in its words. */
function keysOfTold({ part, told }: WriteBriefPartInput): string[] {
  if (!part.id.startsWith('subtopic-')) return [];
  return told
    .filter(({ partId }) => partId.startsWith('subtopic-') && partId !== part.id)
    .map(({ text }) => sentenceKey(replaceMarks(text, () => '')));
}

function checked(
  { step }: AskedText<WriteBriefPartInput, WriteBriefPartOutput>,
  input: WriteBriefPartInput,
  draft: WriteBriefPartOutput,
): WriteBriefPartOutput {
  const problems = step.check(input, draft);
  if (draft.claims.length === 0 && input.findings.length > 0)
    problems.push({ path: 'markdown', message: 'no sentence of it can be supported by the findings' });
  if (problems.length > 0) throw new StepFailedError(step.name, problems);
  return draft;
}
