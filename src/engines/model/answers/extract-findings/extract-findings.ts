import { MAX_OUTPUT_TOKENS } from '../../../../core/budget/call-estimates';
import type {
  ExtractFindingsInput,
  ExtractFindingsOutput,
} from '../../../../steps/extract-findings/contract';
import { sectionsOf } from '../../../../steps/extract-findings/all-sections';
import { smallerWindows } from '../smaller-windows';
import type { StepAnswer } from '../step-answer';
import { FindingsAnswer, SectionsFindingsAnswer } from './answered-finding';
import { findingsInAnswer } from './findings-in-answer';
import { standing } from './standing-findings';

/** How the answer is read: where several sections are asked about, each finding names its own. */
export function extractFindingsAnswer(
  input: ExtractFindingsInput,
): StepAnswer<ExtractFindingsInput, ExtractFindingsOutput> {
  return sectionsOf(input).length > 1 ? forSections : forOneSection;
}

const forOneSection: StepAnswer<ExtractFindingsInput, ExtractFindingsOutput> = {
  schema: FindingsAnswer,
  lists: ['findings'],
  temperature: 0,
  maxOutputTokens: () => MAX_OUTPUT_TOKENS.extractFindings,
  toOutput: findingsInAnswer,
  smaller(input, reason) {
    const parts = smallerWindows(input.sources, reason);
    const { min, max } = input.findings;
    const findings = { min: Math.ceil(min / 2), max: Math.ceil(max / 2) };
    return parts.map((sources) => ({ ...input, sources, findings }));
  },
  isEmpty: ({ findings }) => findings.length === 0,
  merge: (input, parts) =>
    standing(
      input,
      parts.flatMap(({ output }) => output.findings),
      parts.flatMap(({ output }) => output.leftOut ?? []),
    ),
};

const forSections: StepAnswer<ExtractFindingsInput, ExtractFindingsOutput> = {
  ...forOneSection,
  schema: SectionsFindingsAnswer,
};
