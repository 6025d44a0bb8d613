import { reportTexts } from '../../texts/report';
import type { Conflict, Evidence, Finding } from '../../contracts/report/finding';
import { groupedBy } from '../../core/values/grouped-by';
import { citedIds } from '../../core/text/citation-marks';
import { claimSentence, type Opposing } from '../../core/writing/claim-sentence';
import { countWords } from '../../core/writing/shorten';
import { type FindingGroup, groupBySubsection } from '../../core/writing/subsections';
import { inert } from '../../core/writing/quotation';
import { readQuestion } from '../../reading/question/question';
import { sideTold } from '../../reading/statements/effect-told';
import { isOfOthers } from '../../reading/statements/own-result';
import { roleOf } from '../../reading/statements/sentence-role';
import { tellsIntent } from '../../reading/statements/tells-intent';
import type { CitableSource } from '../../steps/material/citable-source';
import type { WriteSectionInput, WriteSectionOutput } from '../../steps/write-section/contract';
import { bearingByWordsOn, type BearingOf, outcomeIn } from './outcome-asked';
import { voteClaim } from './vote-claim';

/**
 * Writes a section as a table of evidence that a terminal shows as well: a row a finding, what sources say word for word, under the
 * outline's subsections or, where the question asks for an effect, by what is reported of it; then it opens with how many of its
 * sources report one. It stops at the words that are wanted, never in the middle of a row.
 */
export function writeSectionExtractively(
  input: WriteSectionInput,
  bearingOf: BearingOf = bearingByWordsOn(input.question, sourcesById(input)),
): WriteSectionOutput {
  const sources = sourcesById(input);
  const claims: WriteSectionOutput['claims'] = [];
  const parts: string[] = [];
  const named = new Set<string>();
  const chosen = withinWords(input, sources);
  const opposing = againstRows(chosen, input, sources);
  for (const { title, findings } of groupsOf(chosen, input, { sources, bearingOf })) {
    const rows = findings.map((finding) => {
      const against = opposing.get(finding.id);
      const told = { named, isOwn: isOwnResult, ...(against === undefined ? {} : { against }) };
      const text = claimSentence(finding, sources, told);
      for (const id of citedIds(text)) named.add(id);
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
    bearingOf,
  });
  return votes === null
    ? { markdown: parts.join('\n\n'), claims }
    : { markdown: [votes.text, ...parts].join('\n\n'), claims: [votes, ...claims] };
}

function sourcesById({ sources }: WriteSectionInput): ReadonlyMap<string, CitableSource> {
  return new Map(sources.map((source) => [source.sourceId, source]));
}

/** Background, and what others found, is of whomever they looked at. */
function isOwnResult(quote: string): boolean {
  return roleOf(quote) === 'finding' && !isOfOthers(quote);
}

/**
 * Who reads one side of a dispute is to see the others there: by the first row of each conflict, what stands against it and is no row
 * of the section. Where the conflict has findings of other sections, these are rows there, and are named by their numbers.
 */
function againstRows(
  rows: readonly Finding[],
  { findings, conflicts }: WriteSectionInput,
  sources: ReadonlyMap<string, CitableSource>,
): Map<string, Opposing> {
  const told = new Set(rows.flatMap(({ evidence }) => evidence.map(placeOf)));
  const own = new Set(findings.map(({ id }) => id));
  const against = new Map<string, Opposing>();
  for (const { findingIds, viewpoints } of conflicts) {
    const first = rows.find(({ id }) => findingIds.includes(id));
    if (first === undefined) continue;
    const missing = viewpoints.flatMap(({ evidence }) =>
      evidence.some((quote) => told.has(placeOf(quote)))
        ? []
        : evidence.filter(({ sourceId }) => sources.has(sourceId)).slice(0, 1),
    );
    for (const quote of missing) told.add(placeOf(quote));
    const { quotes, elsewhere } = against.get(first.id) ?? { quotes: [], elsewhere: [] };
    const areElsewhere = findingIds.some((id) => !own.has(id));
    against.set(first.id, {
      quotes: areElsewhere ? quotes : [...quotes, ...missing],
      elsewhere: areElsewhere ? [...elsewhere, ...missing.map(({ sourceId }) => sourceId)] : elsewhere,
    });
  }
  return against;
}

function placeOf({ sourceId, start }: Evidence): string {
  return `${sourceId}@${start}`;
}

/** Findings in groups that are not empty. */
function groupsOf(
  chosen: readonly Finding[],
  input: WriteSectionInput,
  { sources, bearingOf }: { sources: ReadonlyMap<string, CitableSource>; bearingOf: BearingOf },
): FindingGroup[] {
  const bySubsection = groupBySubsection(input.section.subsections, chosen, sources);
  const asked = readQuestion(input.question);
  const groups =
    bySubsection.length === 1 && asked.asksForEffect
      ? byEffect(chosen, { conflicts: input.conflicts, ...outcomeIn(input.findings, asked, bearingOf) })
      : bySubsection.map((group) => ({ ...group, findings: bySource(group.findings) }));
  return groups.filter(({ findings }) => findings.length > 0);
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

/**
 * What sources dispute stands beside each other, and what is on something else than is asked for under neither side; a heading over all
 * rows alike would say nothing.
 */
function byEffect(
  findings: readonly Finding[],
  { conflicts, isOn }: { conflicts: readonly Conflict[]; isOn: (quoted: Evidence) => boolean },
): FindingGroup[] {
  const disputed = new Set(conflicts.flatMap(({ findingIds }) => findingIds));
  const grouped = groupedBy(findings, ({ id, claim, evidence }) =>
    disputed.has(id) ? 'disputed' : ((evidence.some(isOn) ? sideTold(claim) : null) ?? 'else'),
  );
  const kept = (['disputed', 'effect', 'none', 'else'] as const).flatMap((key) => {
    const group = grouped.get(key);
    if (group === undefined) return [];
    const rows = key === 'disputed' ? byConflict(group, conflicts) : bySource(toThePoint(group, isOn));
    return [{ title: reportTexts.effects[key], findings: rows }];
  });
  const [only] = kept;
  return kept.length === 1 && only !== undefined ? [{ ...only, title: null }] : kept;
}

/** What was found on the outcome first, what was done last. */
function toThePoint(findings: readonly Finding[], isOn: (quoted: Evidence) => boolean): Finding[] {
  const rankOf = ({ claim, evidence }: Finding): number => {
    const role = roleOf(claim);
    return role === 'procedure' || tellsIntent(claim) ? 2 : role === 'finding' && evidence.some(isOn) ? 0 : 1;
  };
  return findings
    .map((finding) => ({ finding, rank: rankOf(finding) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ finding }) => finding);
}

/** Those of one conflict beside each other. */
function byConflict(findings: readonly Finding[], conflicts: readonly Conflict[]): Finding[] {
  const conflictOf = ({ id }: Finding): number =>
    conflicts.findIndex(({ findingIds }) => findingIds.includes(id));
  return [...groupedBy(findings, conflictOf).values()].flat();
}

/** Keeps the order, but moves a finding right behind an earlier one of the same source. */
function bySource(findings: readonly Finding[]): Finding[] {
  return [...groupedBy(findings, ({ citations }) => citations[0]).values()].flat();
}
