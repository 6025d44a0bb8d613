import type { Conflict, Finding } from '../../contracts/report/finding';
import { claimSentence } from '../../core/writing/claim-sentence';
import { inert } from '../../core/writing/quotation';
import { countWords } from '../../core/writing/shorten';
import { groupBySubsection } from '../../core/writing/subsections';
import type { CitableSource } from '../../steps/material/citable-source';
import type { WriteSectionInput, WriteSectionOutput } from '../../steps/write-section/contract';
import { voteClaim } from './vote-claim';

/** A paragraph holds so many claims at most; quotes are long. */
const CLAIMS_PER_PARAGRAPH = 3;

/**
 * Writes a section from its findings under the outline's subsections: every claim is a quote with its attribution. Findings
 * that contradict each other stand side by side. Where the question asks for an effect, the section opens with how many of its
 * sources report one. It stops at the words that are wanted, never in the middle of a claim.
 */
export function writeSectionExtractively(input: WriteSectionInput): WriteSectionOutput {
  const sources = new Map(input.sources.map((source) => [source.sourceId, source]));
  const claims: WriteSectionOutput['claims'] = [];
  const introduced = new Set<string>();
  const told: Finding[] = [];
  const parts: string[] = [];
  // What is told where a text lacked sources was chosen by its words already.
  let wordsLeft = input.lacking === undefined ? input.targetWords : Infinity;
  const wanted = lackingFirst(input, sources);
  for (const group of groupBySubsection(input.section.subsections, wanted, sources)) {
    const texts: string[] = [];
    let previous: Finding | null = null;
    for (const finding of kinTogether(group.findings, input.conflicts)) {
      if (wordsLeft <= 0) break;
      const source = finding.evidence[0]?.sourceId ?? '';
      const text = claimSentence(finding, sources, {
        turn: claims.length,
        introduced: introduced.has(source),
        contrast: previous !== null && contradict(previous, finding, input.conflicts),
      });
      introduced.add(source);
      texts.push(text);
      told.push(finding);
      claims.push({ text, findingIds: [finding.id] });
      wordsLeft -= countWords(text);
      previous = finding;
    }
    if (texts.length === 0) continue;
    if (group.title !== null) parts.push(`### ${inert(group.title)}`);
    for (let at = 0; at < texts.length; at += CLAIMS_PER_PARAGRAPH) {
      parts.push(texts.slice(at, at + CLAIMS_PER_PARAGRAPH).join(' '));
    }
  }
  const votes = voteClaim(
    input.question,
    input.findings.filter((finding) => told.includes(finding)),
  );
  return votes === null
    ? { markdown: parts.join('\n\n'), claims }
    : { markdown: [votes.text, ...parts].join('\n\n'), claims: [votes, ...claims] };
}

/**
 * Where an earlier text lacks sources: the findings that there are words for when those of the missing sources go first, in
 * their own order. Otherwise all of them.
 */
function lackingFirst(
  { findings, lacking, targetWords }: WriteSectionInput,
  sources: ReadonlyMap<string, CitableSource>,
): Finding[] {
  if (lacking === undefined) return [...findings];
  const isMissing = (finding: Finding): boolean => lacking.findingIds.includes(finding.id);
  const chosen = new Set<string>();
  let words = 0;
  for (const finding of [...findings.filter(isMissing), ...findings.filter((one) => !isMissing(one))]) {
    if (words >= targetWords) break;
    chosen.add(finding.id);
    words += countWords(claimSentence(finding, sources, { turn: 0, introduced: false, contrast: false }));
  }
  return findings.filter(({ id }) => chosen.has(id));
}

function sourceOf(finding: Finding): string | undefined {
  return finding.evidence[0]?.sourceId;
}

/** Keeps the order, but moves a finding of the same source, or that contradicts an earlier one, right behind it. */
function kinTogether(findings: readonly Finding[], conflicts: readonly Conflict[]): Finding[] {
  const waiting = [...findings];
  const ordered: Finding[] = [];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    ordered.push(next);
    const current = next;
    const at = waiting.findIndex(
      (other) => contradict(current, other, conflicts) || sourceOf(current) === sourceOf(other),
    );
    if (at >= 0) waiting.unshift(...waiting.splice(at, 1));
  }
  return ordered;
}

/** True where a conflict has one finding's source on one side and the other's on another. */
function contradict(one: Finding, other: Finding, conflicts: readonly Conflict[]): boolean {
  return conflicts.some((conflict) => {
    if (!conflict.findingIds.includes(one.id) || !conflict.findingIds.includes(other.id)) return false;
    const sideOf = (finding: Finding): number =>
      conflict.viewpoints.findIndex((viewpoint) =>
        viewpoint.citations.some((citation) => finding.citations.includes(citation)),
      );
    return sideOf(one) >= 0 && sideOf(other) >= 0 && sideOf(one) !== sideOf(other);
  });
}
