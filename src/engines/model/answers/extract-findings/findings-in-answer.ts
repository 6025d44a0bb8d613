import type { Finding } from '../../../../contracts/report/finding';
import type {
  ExtractFindingsInput,
  ExtractFindingsOutput,
} from '../../../../steps/extract-findings/contract';
import type { Echoes } from '../../grounding/echoes';
import { type AnswerProblem, readItems, type Reading } from '../reading';
import { AnsweredItem } from './answered-finding';
import { evidenceKey } from './finding-identity';
import { createFindingReader } from './finding-reader';

/** The findings of an answer that stand, those on the same words once. */
export function findingsInAnswer(
  input: ExtractFindingsInput,
  answer: unknown,
  echoes: Echoes,
): Reading<ExtractFindingsOutput> {
  const problems: AnswerProblem[] = [];
  const warnings: Reading<ExtractFindingsOutput>['warnings'] = [];
  const items = readItems(answer, 'findings', AnsweredItem, problems);
  const read = createFindingReader(input, { echoes, problems, warnings });
  const findings = new Map<string, Finding>();
  for (const { item, path } of items) {
    const finding = read(item, path, findings.size);
    if (finding === null) continue;
    const key = evidenceKey(finding);
    if (!findings.has(key)) findings.set(key, finding);
  }
  if (items.length === 0 && problems.length === 0 && input.sources.length > 0) {
    problems.push({
      path: 'findings',
      message: 'there is no finding; look again whether a source has a result that belongs to the section',
      code: 'no-findings',
      warning: 'No finding came of a section’s sources.',
    });
  }
  const nothingValid = findings.size === 0 && problems.some(({ code }) => code !== 'no-findings');
  return {
    output: nothingValid
      ? null
      : { sectionId: input.section.id, findings: [...findings.values()].slice(0, input.findings.max) },
    problems,
    warnings,
    parts: findings.size,
  };
}
