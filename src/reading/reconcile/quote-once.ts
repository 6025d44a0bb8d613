import type { Finding } from '../../contracts/report/finding';
import { sentenceKey } from '../../core/duplicates/near-duplicate-sentences';
import type { AgreeingGroup } from './group-agreeing';

/**
 * No sentence is quoted twice in a report. A sentence belongs to the most certain finding that quotes it; a finding whose
 * own sentence belongs to another is given up for that one, and further evidence that belongs to another is left out.
 * The same sentence in several sources stays with one finding, as evidence of each source.
 */
export function quoteOnce(groups: readonly AgreeingGroup[]): {
  findings: Finding[];
  /** Under which id each finding lives on. */
  keptAs: Map<string, string>;
} {
  const owners = new Map<string, string>();
  const keptAs = new Map<string, string>();
  const kept = new Map<string, Finding>();
  const strongestFirst = groups
    .map((group, order) => ({ group, order }))
    .sort((a, b) => b.group.finding.confidence - a.group.finding.confidence || a.order - b.order);
  for (const { group } of strongestFirst) {
    const { finding } = group;
    const owner = owners.get(sentenceKey(finding.evidence[0]?.quote ?? finding.claim)) ?? finding.id;
    for (const id of group.findingIds) keptAs.set(id, owner);
    if (owner !== finding.id) continue;
    const evidence = finding.evidence.filter(({ quote }) => {
      const key = sentenceKey(quote);
      if (!owners.has(key)) owners.set(key, finding.id);
      return owners.get(key) === finding.id;
    });
    const citations = [...new Set(evidence.map((item) => item.sourceId))];
    const inPart = finding.inPart?.filter((id) => citations.includes(id));
    kept.set(finding.id, { ...finding, evidence, citations, ...(inPart === undefined ? {} : { inPart }) });
  }
  return { findings: groups.flatMap(({ finding }) => kept.get(finding.id) ?? []), keptAs };
}
