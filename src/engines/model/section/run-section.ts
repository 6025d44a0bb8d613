import type { WriteSectionInput, WriteSectionOutput } from '../../../steps/write-section/contract';
import { StepFailedError } from '../../step-failed-error';
import { createFindingsMaterial } from '../text/findings-material';
import { readTextBlock } from '../text/text-block';
import { createTextWriter } from '../text/text-writer';
import { writeOnFindings } from '../text/write-on-findings';
import type { AskedText, TextForm } from '../text/writing';
import { aboutOf, inReadingOrder, outputTokensOf, partOf } from './section-question';

const SECTION: TextForm<WriteSectionInput> = {
  noun: 'section',
  findingsOf: ({ findings }) => findings,
  wantedOf: ({ findings }) => findings,
  partOf,
  wordsOf: ({ targetWords }) => targetWords,
  outputTokensOf,
  materialOf: (input, echoes) => createFindingsMaterial(input, aboutOf(input), echoes),
  readerOf:
    ({ section }, material) =>
    (block, context) =>
      readTextBlock(block, material, { ...context, noun: 'a section', title: section.title }),
};

/** Writes a section; `onText` gets what will stand, and nothing that is taken back. */
export async function runSection(
  asked: AskedText<WriteSectionInput, WriteSectionOutput>,
  input: WriteSectionInput,
  onText: (text: string) => void,
): Promise<WriteSectionOutput> {
  const writer = createTextWriter(onText);
  await writeOnFindings(SECTION, asked, { ...input, findings: inReadingOrder(input) }, writer);
  const draft = writer.draft();
  const problems = asked.step.check(input, draft);
  if (draft.claims.length === 0 && input.findings.length > 0) {
    problems.push({ path: 'markdown', message: 'no sentence of it can be supported by the findings' });
  }
  if (problems.length > 0) throw new StepFailedError(asked.step.name, problems);
  return draft;
}
