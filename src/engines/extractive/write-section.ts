import { type Texts, textsOf } from '../../texts/texts';
import type { Conflict, Finding } from '../../contracts/report/finding';
import { groupedBy } from '../../core/values/grouped-by';
import { citedIds } from '../../core/text/citation-marks';
import { claimSentence } from '../../core/writing/claim-sentence';
import { countWords } from '../../core/writing/shorten';
import { type FindingGroup, groupBySubsection } from '../../core/writing/subsections';
import { inert } from '../../core/writing/quotation';
import { readQuestion } from '../../reading/question/question';
import { sideTold } from '../../reading/statements/effect-told';
import type { CitableSource } from '../../steps/material/citable-source';
import type { WriteSectionInput, WriteSectionOutput } from '../../steps/write-section/contract';
import { voteClaim } from './vote-claim';

/**
 * Writes a section as a table of evidence that a terminal shows as well: a row a finding, what sources say word for word, under the
 * outline's subsections or, where the question asks for an effect, by what is reported of it; then it opens with how many of its
 * sources report one. It stops at the words that are wanted, never in the middle of a row.
 */
export function writeSectionExtractively(input: WriteSectionInput): WriteSectionOutput {
  const texts = textsOf(input.language);
  const sources = new Map(input.sources.map((source) => [source.sourceId, source]));
  const claims: WriteSectionOutput['claims'] = [];
  const parts: string[] = [];
  const placed = new Set<string>();
  for (const { title, findings } of groupsOf(input, sources, texts)) {
    // Who looks under one heading alone is to see there whose the rows are.
    const named = new Set<string>();
    const rows = findings.map((finding) => {
      const text = claimSentence(finding, sources, { named, placed, texts });
      for (const id of citedIds(text)) [named, placed].forEach((told) => told.add(id));
      return { text, findingIds: [finding.id] };
    });
    claims.push(...rows);
    parts.push(
      ...(title === null ? [] : [`### ${inert(title)}`]),
      rows.map(({ text }) => `- ${text}`).join('\n'),
    );
  }
  const told = new Set(claims.flatMap(({ findingIds }) => findingIds));
  const votes = voteClaim({
    question: input.question,
    findings: input.findings.filter(({ id }) => told.has(id)),
    sources,
    texts,
  });
  return votes === null
    ? { markdown: parts.join('\n\n'), claims }
    : { markdown: [votes.text, ...parts].join('\n\n'), claims: [votes, ...claims] };
}

/** The findings that there are words for, in groups that are not empty. */
function groupsOf(
  input: WriteSectionInput,
  sources: ReadonlyMap<string, CitableSource>,
  texts: Texts,
): FindingGroup[] {
  const chosen = withinWords(input, sources);
  const bySubsection = groupBySubsection(input.section.subsections, chosen, sources);
  const groups =
    bySubsection.length === 1 && readQuestion(input.question).asksForEffect
      ? byEffect(chosen, input.conflicts, texts)
      : bySubsection;
  return groups.flatMap(({ title, findings }) =>
    findings.length === 0 ? [] : [{ title, findings: bySource(findings) }],
  );
}

/**
 * The findings that there are words for, in their own order. Where an earlier text lacks sources, those of them are told first.
 */
function withinWords(
  { findings, lacking, targetWords }: WriteSectionInput,
  sources: ReadonlyMap<string, CitableSource>,
): Finding[] {
  const isMissing = ({ id }: Finding): boolean => lacking?.findingIds.includes(id) === true;
  const chosen = new Set<Finding>();
  let words = 0;
  for (const finding of [...findings.filter(isMissing), ...findings.filter((one) => !isMissing(one))]) {
    if (words >= targetWords) break;
    chosen.add(finding);
    words += countWords(claimSentence(finding, sources));
  }
  return findings.filter((finding) => chosen.has(finding));
}

/** What sources dispute stands beside each other; a heading over all rows alike would say nothing. */
function byEffect(
  findings: readonly Finding[],
  conflicts: readonly Conflict[],
  { report }: Texts,
): FindingGroup[] {
  const disputed = new Set(conflicts.flatMap(({ findingIds }) => findingIds));
  const grouped = groupedBy(findings, ({ id, claim }) =>
    disputed.has(id) ? 'disputed' : (sideTold(claim) ?? 'else'),
  );
  const kept = (['disputed', 'effect', 'none', 'else'] as const).flatMap((key) => {
    const group = grouped.get(key);
    return group === undefined ? [] : [{ title: report.effects[key], findings: group }];
  });
  const [only] = kept;
  return kept.length === 1 && only !== undefined ? [{ ...only, title: null }] : kept;
}

/** Keeps the order, but moves a finding right behind an earlier one of the same source. */
function bySource(findings: readonly Finding[]): Finding[] {
  return [...groupedBy(findings, ({ citations }) => citations[0]).values()].flat();
}
