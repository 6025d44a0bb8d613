import type { WriteBriefPartInput, WriteBriefPartOutput } from '../../../steps/write-brief-part/contract';
import { StepFailedError } from '../../step-failed-error';
import { createSectionWriter } from '../section/section-writer';
import { writeText } from '../section/write-text';
import type { AskedText } from '../section/writing';
import { PART_FORM } from './part-form';
import { revisedPart, standingPart } from './revised-part';

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
  const writer = createSectionWriter(revision === null ? onText : (): void => undefined);
  await writeText(PART_FORM, asked, input, writer);
  const written = writer.draft();
  if (revision === null) return checked(asked, input, written);
  const standing = standingPart(input, revision);
  if (written.claims.length === 0 && standing.claims.length > 0)
    asked.warn({
      code: 'revision-unusable',
      message: 'Nothing of a revised part could be used; it stays as it was.',
    });
  const kept = written.claims.length === 0 ? standing : revisedPart(standing, written, revision);
  const draft = checked(asked, input, kept);
  onText(draft.markdown);
  return draft;
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
