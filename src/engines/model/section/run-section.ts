import type { WriteSectionInput, WriteSectionOutput } from '../../../steps/write-section/contract';
import { StepFailedError } from '../../step-failed-error';
import { createFindingsMaterial } from '../text/findings-material';
import { readTextBlock } from '../text/text-block';
import { createTextWriter } from '../text/text-writer';
import { writeOnFindings } from '../text/write-on-findings';
import type { AskedText, TextForm } from '../text/writing';
import { MAX_OUTPUT_TOKENS } from '../../../core/budget/call-estimates';
import { groupBySubsection } from '../../../core/writing/subsections';

const SECTION: TextForm<WriteSectionInput> = {
  noun: 'section',
  findingsOf: ({ findings }) => findings,
  wantedOf: ({ findings }) => findings,
  partOf,
  wordsOf: ({ targetWords }) => targetWords,
  outputTokensOf,
  materialOf: (input) => createFindingsMaterial(input, aboutOf(input)),
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

/** Tokens to a word of a text with citations. */
const TOKENS_A_WORD = 2.5;
const LEAST_OUTPUT_TOKENS = 800;

/** Under their subsections, so that a part of them is a part of the section. */
function inReadingOrder({ section, findings }: WriteSectionInput): WriteSectionInput['findings'] {
  return groupBySubsection(section.subsections, findings).flatMap((group) => group.findings);
}

function partOf(input: WriteSectionInput, findings: WriteSectionInput['findings']): WriteSectionInput {
  const ids = new Set(findings.map(({ id }) => id));
  const share = findings.length / Math.max(1, input.findings.length);
  return {
    ...input,
    findings,
    conflicts: input.conflicts.filter(({ findingIds }) => findingIds.some((id) => ids.has(id))),
    targetWords: Math.max(1, Math.round(input.targetWords * share)),
  };
}

function outputTokensOf({ targetWords }: WriteSectionInput): number {
  const wanted = Math.max(LEAST_OUTPUT_TOKENS, Math.ceil(targetWords * TOKENS_A_WORD));
  return Math.min(MAX_OUTPUT_TOKENS.writeSection, wanted);
}

function aboutOf({ section }: WriteSectionInput): string[] {
  return [section.title, section.description, ...section.subsections.map(({ title }) => title)];
}
