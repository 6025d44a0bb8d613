import type { Evidence, Finding } from '../../contracts/report/finding';
import { groupedBy } from '../../core/values/grouped-by';
import { citedIds } from '../../core/text/citation-marks';
import { claimSentence, type Opposing } from '../../core/writing/claim-sentence';
import { countWords } from '../../core/writing/shorten';
import { type FindingGroup, groupBySubsection } from '../../core/writing/subsections';
import { inert } from '../../core/writing/quotation';
import type { CitableSource } from '../../steps/material/citable-source';
import type { WriteSectionInput, WriteSectionOutput } from '../../steps/write-section/contract';

/**
 * Writes a section as rows of quotes, one a finding, under the outline's subsections. A quote that contradicts a row stands beside it.
 * It stops at the wanted number of words, and never within a row.
 */
export function writeSectionExtractively(input: WriteSectionInput): WriteSectionOutput {
  const sources = sourcesById(input);
  const claims: WriteSectionOutput['claims'] = [];
  const parts: string[] = [];
  const named = new Set<string>();
  const chosen = withinWords(input, sources);
  const opposing = againstRows(chosen, input, sources);
  for (const { title, findings } of groupsOf(chosen, input)) {
    const rows = findings.map((finding) => {
      const against = opposing.get(finding.id);
      const told = { named, ...(against === undefined ? {} : { against }) };
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
  return { markdown: parts.join('\n\n'), claims };
}

function sourcesById({ sources }: WriteSectionInput): ReadonlyMap<string, CitableSource> {
  return new Map(sources.map((source) => [source.sourceId, source]));
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

function groupsOf(chosen: readonly Finding[], { section, conflicts }: WriteSectionInput): FindingGroup[] {
  return groupBySubsection(section.subsections, chosen)
    .map((group) => ({ ...group, findings: sideBySide(bySource(group.findings), conflicts) }))
    .filter(({ findings }) => findings.length > 0);
}

/** Keeps the order, but moves what contradicts a finding right behind it. */
function sideBySide(findings: readonly Finding[], conflicts: WriteSectionInput['conflicts']): Finding[] {
  const told = new Set<Finding>();
  for (const finding of findings) {
    told.add(finding);
    const ids = new Set(
      conflicts.flatMap(({ findingIds }) => (findingIds.includes(finding.id) ? findingIds : [])),
    );
    for (const other of findings) if (ids.has(other.id)) told.add(other);
  }
  return [...told];
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

/** Keeps the order, but moves a finding right behind an earlier one of the same source. */
function bySource(findings: readonly Finding[]): Finding[] {
  return [...groupedBy(findings, ({ citations }) => citations[0]).values()].flat();
}
