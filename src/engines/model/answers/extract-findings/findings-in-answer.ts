import type { Finding, LeftOutFinding } from '../../../../contracts/report/finding';
import type {
  ExtractFindingsInput,
  ExtractFindingsOutput,
} from '../../../../steps/extract-findings/contract';
import type { Echoes } from '../../grounding/echoes';
import { type AnswerProblem, readItems, type Reading } from '../reading';
import { AnsweredItem } from './answered-finding';
import { standing } from './standing-findings';
import { createFindingReader } from './finding-reader';

/** The findings of an answer that stand, each once, and the others with what keeps them from it. */
export function findingsInAnswer(
  input: ExtractFindingsInput,
  answer: unknown,
  echoes: Echoes,
): Reading<ExtractFindingsOutput> {
  const problems: AnswerProblem[] = [];
  const warnings: Reading<ExtractFindingsOutput>['warnings'] = [];
  const items = readItems(answer, 'findings', AnsweredItem, problems);
  const read = createFindingReader(input, { echoes, problems, warnings });
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
