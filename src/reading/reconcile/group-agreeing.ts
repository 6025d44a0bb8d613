import type { Evidence, Finding } from '../../contracts/report/finding';
import { distinctBy } from '../../core/values/distinct-by';
import { originalOf, type SourcesById } from '../../core/evidence/distinct-evidence';
import { quotesAlone } from '../../core/evidence/quotes-alone';
import { sentenceKey } from '../../core/duplicates/near-duplicate-sentences';
import { comparedPairs } from './clash';
import { claimedStatements } from './quoted-statement';

export interface AgreeingGroup {
  /** The strongest of them, with the others' quotes as its further evidence. */
  finding: Finding;
  /** The findings that it now stands for, itself first. */
  findingIds: readonly string[];
}

/**
 * Puts findings of different sources that assert the same under the strongest of them, in the order of the findings. The same
 * sentence in several documents is joined too; it counts once as evidence all the same.
 */
export function groupAgreeing(findings: readonly Finding[], sources: SourcesById): AgreeingGroup[] {
  const agreeing = agreements(findings, sources);
  const strongestFirst = findings
    .map((_finding, index) => index)
    .sort((a, b) => strength(findings[b]) - strength(findings[a]) || a - b);
  const leaderOf = new Map<number, number>();
  for (const index of strongestFirst) {
    const leader = strongestFirst.find(
      (other) => leaderOf.get(other) === other && agreeing.has(pairKey(index, other)),
    );
    leaderOf.set(index, leader ?? index);
  }
  return findings.flatMap((finding, index): AgreeingGroup[] => {
    if (leaderOf.get(index) !== index) return [];
    const others = findings.filter((_other, at) => at !== index && leaderOf.get(at) === index);
    const evidence = others.flatMap((other) => other.evidence);
    return [
      {
        finding: withEvidence(finding, evidence),
        findingIds: [finding.id, ...others.map(({ id }) => id)],
      },
    ];
  });
}

function agreements(findings: readonly Finding[], sources: SourcesById): Set<string> {
  const found = new Set<string>();
  const sentences = new Map<string, number>();
  findings.forEach((finding, index) => {
    const sentence = sentenceKey(finding.claim);
    const first = sentences.get(sentence);
    if (first === undefined) sentences.set(sentence, index);
    else found.add(pairKey(first, index));
  });
  const quotes = claimedStatements(findings, sources);
  const indexOf = new Map(findings.map((finding, index) => [finding.id, index]));
  for (const { a, b, comparison } of comparedPairs(quotes).pairs) {
    const [left, right] = [indexOf.get(a.findingId ?? ''), indexOf.get(b.findingId ?? '')];
    if (comparison.relation !== 'agree' || left === undefined || right === undefined) continue;
    if (shareSources(findings[left], findings[right], sources)) continue;
    if (mayStandTogether(findings[left], findings[right])) found.add(pairKey(left, right));
  }
  return found;
}

/** Where a finding in words of its own stands was somebody's choice: words do not take it into another section. */
function mayStandTogether(a: Finding | undefined, b: Finding | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.sectionId === b.sectionId || (quotesAlone(a) && quotesAlone(b));
}

function shareSources(a: Finding | undefined, b: Finding | undefined, sources: SourcesById): boolean {
  const roots = new Set((a?.citations ?? []).map((id) => originalOf(id, sources)));
  return (b?.citations ?? []).some((id) => roots.has(originalOf(id, sources)));
}

function pairKey(a: number, b: number): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

function strength(finding: Finding | undefined): number {
  return finding === undefined ? 0 : finding.confidence + finding.citations.length / 1_000;
}

/** Adds quotes of sources that the finding does not quote yet. */
export function withEvidence(finding: Finding, further: readonly Evidence[]): Finding {
  const quoted = finding.evidence.map(({ sourceId }) => sourceId);
  const evidence = [...finding.evidence, ...distinctBy(further, ({ sourceId }) => sourceId, quoted)];
  return {
    ...finding,
    evidence,
    citations: [...new Set(evidence.map(({ sourceId }) => sourceId))],
  };
}
