import type { Finding } from '../../contracts/report/finding';
import { terms } from '../../language/words';

interface Subsection {
  title: string;
  sourceIds: string[];
}

/** Findings under one heading; `title` is null for those that open the section without one. */
export interface FindingGroup {
  title: string | null;
  findings: Finding[];
}

/** A heading stands over this many findings at least; fewer join the section's opening. */
const MIN_FINDINGS = 2;

/**
 * Puts each finding under the subsection that its source belongs to and whose title it shares most words with; what fits
 * none opens the section. Order within a group: the findings' own.
 */
export function groupBySubsection(
  subsections: readonly Subsection[],
  findings: readonly Finding[],
  titles: ReadonlyMap<string, { title: string }>,
): FindingGroup[] {
  const wanted = findings.map((finding) => best(subsections, finding, titles));
  const sizes = subsections.map((_, index) => wanted.filter((choice) => choice === index).length);
  const kept = sizes.map((size) => size >= MIN_FINDINGS && size < findings.length);
  const opening = findings.filter((_, at) => kept[wanted[at] ?? -1] !== true);
  return [
    { title: null, findings: opening },
    ...subsections.flatMap((subsection, index) =>
      kept[index] === true
        ? [{ title: subsection.title, findings: findings.filter((_, at) => wanted[at] === index) }]
        : [],
    ),
  ];
}

/**
 * The index of the best subsection, or −1: its words in the claim count twice as much as its sources. A heading that
 * neither the claim nor its source's title has a word of would stand over something else.
 */
function best(
  subsections: readonly Subsection[],
  finding: Finding,
  titles: ReadonlyMap<string, { title: string }>,
): number {
  const claim = new Set(terms(finding.claim));
  const named = new Set([...claim, ...terms(titles.get(finding.citations[0] ?? '')?.title ?? '')]);
  let choice = -1;
  let highest = 0;
  subsections.forEach((subsection, index) => {
    const title = [...new Set(terms(subsection.title))];
    const shared = title.length === 0 ? 0 : title.filter((term) => claim.has(term)).length / title.length;
    if (!title.some((term) => named.has(term))) return;
    const listed = finding.citations.some((id) => subsection.sourceIds.includes(id)) ? 0.5 : 0;
    if (shared + listed > highest + 1e-9) {
      choice = index;
      highest = shared + listed;
    }
  });
  return choice;
}
