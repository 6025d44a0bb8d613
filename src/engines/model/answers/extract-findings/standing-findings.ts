import type { Finding, LeftOutFinding } from '../../../../contracts/report/finding';
import type {
  ExtractFindingsInput,
  ExtractFindingsOutput,
} from '../../../../steps/extract-findings/contract';
import { findingId, findingKey } from './finding-identity';

/** The findings that are given on, numbered in their order: each once, and no more than there is room for; the rest is told of. */
export function standing(
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
