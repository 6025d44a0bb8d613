import { MAX_OUTPUT_TOKENS } from '../../../../core/budget/call-estimates';
import type {
  ExtractFindingsInput,
  ExtractFindingsOutput,
} from '../../../../steps/extract-findings/contract';
import { sectionsOf } from '../../../../steps/extract-findings/all-sections';
import { smallerWindows } from '../smaller-windows';
import type { StepAnswer } from '../step-answer';
import { FindingsAnswer, SectionsFindingsAnswer, AnsweredItem } from './answered-finding';
import type { Finding, LeftOutFinding } from '../../../../contracts/report/finding';
import { type AnswerProblem, readItems, type Reading } from '../reading';
import { createFindingReader } from './finding-reader';
import { findingId, findingKey } from './finding-identity';

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

function findingsInAnswer(input: ExtractFindingsInput, answer: unknown): Reading<ExtractFindingsOutput> {
  const problems: AnswerProblem[] = [];
  const warnings: Reading<ExtractFindingsOutput>['warnings'] = [];
  const items = readItems(answer, 'findings', AnsweredItem, problems);
  const read = createFindingReader(input, { problems, warnings });
  const findings: Finding[] = [];
  const leftOut: LeftOutFinding[] = [];
  for (const { item, path } of items) {
    const one = read(item, path, findings.length);
    if ('finding' in one) findings.push(one.finding);
    else leftOut.push(one.leftOut);
  }
  if (items.length === 0 && problems.length === 0 && input.sources.length > 0) {
    problems.push({
      path: 'findings',
      message: 'there is no finding; look again whether a source has a result that belongs to the section',
      code: 'no-findings',
      warning: 'No finding came of a section’s sources.',
    });
  }
  const output = standing(input, findings, leftOut);
  const nothingValid = findings.length === 0 && problems.some(({ code }) => code !== 'no-findings');
  return {
    output: nothingValid ? null : output,
    problems,
    warnings,
    parts: output.findings.length,
  };
}

/** The findings that are given on, numbered in their order: each once, and no more than there is room for; the rest is told of. */
function standing(
  { section, findings: { max } }: Pick<ExtractFindingsInput, 'section' | 'findings'>,
  findings: readonly Finding[],
  leftOut: readonly LeftOutFinding[],
): ExtractFindingsOutput {
  const kept = new Map<string, Finding>();
  const without: LeftOutFinding[] = [...leftOut];
  for (const finding of findings) {
    const { sectionId, claim, citations } = finding;
    const key = findingKey(finding);
    if (kept.has(key))
      without.push({ sectionId, claim, citations, reason: 'the same finding stands there already' });
    else if (kept.size === max)
      without.push({ sectionId, claim, citations, reason: `more than ${max} findings were given` });
    else kept.set(key, { ...finding, id: findingId(sectionId, kept.size) });
  }
  return {
    sectionId: section.id,
    findings: [...kept.values()],
    ...(without.length === 0 ? {} : { leftOut: without }),
  };
}
