import type { Finding } from '../../contracts/report/finding';
import { sentenceKey } from '../../core/duplicates/near-duplicate-sentences';
import { quotesAlone } from '../../core/evidence/quotes-alone';
import type { AgreeingGroup } from './group-agreeing';

/**
 * What says the same is told once. Of findings that quote alone no sentence is quoted twice: it belongs to the most certain
 * finding that quotes it; a finding whose own sentence belongs to another is given up for that one, and further evidence that
 * belongs to another is left out. The same sentence in several sources stays with one finding, as evidence of each source.
 *
 * A finding in words of its own keeps all that it quotes, whoever else rests on it: several things may be taken from one
 * sentence, and sources that agree may be quoted elsewhere as well. It is given up for one with the same claim alone.
 */
export function quoteOnce(groups: readonly AgreeingGroup[]): {
  findings: Finding[];
  /** Under which id each finding lives on. */
  keptAs: Map<string, string>;
} {
  const owners = new Map<string, string>();
  const keptAs = new Map<string, string>();
  const kept = new Map<string, Finding>();
  const ordered = groups
    .map((group, order) => ({ group, order, isQuote: quotesAlone(group.finding) }))
    // What somebody worded is told with its quotes, so that a bare quote of the same would repeat it.
    .sort(
      (a, b) =>
        Number(a.isQuote) - Number(b.isQuote) ||
        b.group.finding.confidence - a.group.finding.confidence ||
        a.order - b.order,
    );
  for (const { group, isQuote } of ordered) {
    const { finding } = group;
    const owner = owners.get(sentenceKey(ownSentence(finding, isQuote))) ?? finding.id;
    for (const id of group.findingIds) keptAs.set(id, owner);
    if (owner !== finding.id) continue;
    if (!isQuote) owners.set(sentenceKey(finding.claim), finding.id);
    const evidence = finding.evidence.filter(({ quote }) => {
      const key = sentenceKey(quote);
      if (!owners.has(key)) owners.set(key, finding.id);
      return !isQuote || owners.get(key) === finding.id;
    });
    const citations = [...new Set(evidence.map((item) => item.sourceId))];
    kept.set(finding.id, { ...finding, evidence, citations });
  }
  return { findings: groups.flatMap(({ finding }) => kept.get(finding.id) ?? []), keptAs };
}

function ownSentence({ claim, evidence }: Finding, isQuote: boolean): string {
  return isQuote ? (evidence[0]?.quote ?? claim) : claim;
}
