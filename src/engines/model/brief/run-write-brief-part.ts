import type { WriteBriefPartInput, WriteBriefPartOutput } from '../../../steps/write-brief-part/contract';
import { sentenceKey } from '../../../core/duplicates/near-duplicate-sentences';
import { replaceMarks } from '../../../core/text/citation-marks';
import { StepFailedError } from '../../step-failed-error';
import { createTextWriter } from '../text/text-writer';
import { writeOnFindings } from '../text/write-on-findings';
import type { AskedText, TextForm } from '../text/writing';
import { MAX_OUTPUT_TOKENS, writingTokens } from '../../../core/budget/call-estimates';
import { createFindingsMaterial } from '../text/findings-material';
import { openBriefBlocks } from './brief-blocks';
import { titledPart } from './brief-headings';

const PART_FORM: TextForm<WriteBriefPartInput> = {
  noun: 'part',
  findingsOf: ({ findings }) => findings,
  wantedOf: ({ findings, part }) => findings.filter(({ id }) => part.findingIds.includes(id)),
  partOf(input, findings) {
    const ids = new Set(findings.map(({ id }) => id));
    const share = findings.length / Math.max(1, input.findings.length);
    return {
      ...input,
      findings,
      conflicts: input.conflicts.filter(({ findingIds }) => findingIds.some((id) => ids.has(id))),
      part: { ...input.part, words: Math.max(1, Math.round(input.part.words * share)) },
    };
  },
  wordsOf: ({ part }) => part.words,
  outputTokensOf: ({ part }) => writingTokens(part.words, MAX_OUTPUT_TOKENS.writeBriefPart),
  materialOf: (input) => createFindingsMaterial(input, [input.plan.title, input.part.title], 'brief'),
  readerOf({ part }, material) {
    const lines = {
      isTitle: (text: string) => titledPart(text, [part]) !== null,
      heading: () => undefined,
      partOf: () => undefined,
    };
    return openBriefBlocks(material, lines, 'a part of a brief');
  },
};

/** Writes a part of a brief, or writes it anew; `onText` gets what will stand, and nothing that is taken back. */
export async function runWriteBriefPart(
  asked: AskedText<WriteBriefPartInput, WriteBriefPartOutput>,
  input: WriteBriefPartInput,
  onText: (text: string) => void,
): Promise<WriteBriefPartOutput> {
  const writer = createTextWriter(onText);
  const elsewhere = keysOfTold(input);
  const said = (): ReadonlySet<string> => new Set([...elsewhere, ...writer.said()]);
  await writeOnFindings(PART_FORM, asked, input, { ...writer, said });
  const draft = writer.draft();
  const problems = asked.step.check(input, draft);
  if (draft.claims.length === 0 && input.findings.length > 0)
    problems.push({ path: 'markdown', message: 'no sentence of it can be supported by the findings' });
  if (problems.length > 0) throw new StepFailedError(asked.step.name, problems);
  return draft;
}

/** The sentences that are not to stand once more; the opening and the end may point at what others say, in its words. */
function keysOfTold({ part, told }: WriteBriefPartInput): string[] {
  if (!part.id.startsWith('subtopic-')) return [];
  return told
    .filter(({ partId }) => partId.startsWith('subtopic-') && partId !== part.id)
    .map(({ text }) => sentenceKey(replaceMarks(text, () => '')));
}
