import type { WriteSectionInput, WriteSectionOutput } from '../../../steps/write-section/contract';
import { StepFailedError } from '../../step-failed-error';
import { createSectionMaterial } from './section-material';
import { aboutOf, inReadingOrder, limitsOf, partOf } from './section-question';
import { readSectionBlock } from './section-text';
import { createSectionWriter } from './section-writer';
import { writeText } from './write-text';
import type { AskedText, TextForm } from './writing';

const SECTION: TextForm<WriteSectionInput> = {
  noun: 'section',
  findingsOf: ({ findings }) => findings,
  wantedOf: ({ findings }) => findings,
  partOf,
  wordsOf: ({ targetWords }) => targetWords,
  limitsOf,
  materialOf: (input, echoes) => createSectionMaterial(input, aboutOf(input), echoes),
  readerOf:
    ({ section }, material) =>
    (block, context) =>
      readSectionBlock(block, material, { ...context, sectionTitle: section.title }),
};

/** Writes a section; `onText` gets what will stand, and nothing that is taken back. */
export async function runSection(
  asked: AskedText<WriteSectionInput, WriteSectionOutput>,
  input: WriteSectionInput,
  onText: (text: string) => void,
): Promise<WriteSectionOutput> {
  const writer = createSectionWriter(onText);
  await writeText(SECTION, asked, { ...input, findings: inReadingOrder(input) }, writer);
  const draft = writer.draft();
  const problems = asked.step.check(input, draft);
  if (draft.claims.length === 0 && input.findings.length > 0) {
    problems.push({ path: 'markdown', message: 'no sentence of it can be supported by the findings' });
  }
  if (problems.length > 0) throw new StepFailedError(asked.step.name, problems);
  return draft;
}
