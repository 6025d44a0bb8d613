import type { SectionDraft } from '../../../contracts/report/draft';
import type { Finding } from '../../../contracts/report/finding';
import { citedIds } from '../../../core/text/citation-marks';

/** What a draft says that it rests on, and what its part may tell of; in the order of the summaries. */
export function namedFindings(
  { claims, checked }: SectionDraft,
  findings: readonly Finding[],
  own: readonly Finding[],
): Finding[] {
  const named = new Set([
    ...own.map(({ id }) => id),
    ...claims.flatMap(({ findingIds }) => findingIds),
    ...(checked?.sentences ?? []).flatMap(({ findingIds }) => findingIds),
  ]);
  return findings.filter(({ id }) => named.has(id));
}

/** These, and whatever is said on account of a source that the draft cites: a claim may rest on any of it. */
export function citedFindings(
  { markdown }: SectionDraft,
  findings: readonly Finding[],
  named: readonly Finding[],
): Finding[] {
  const cited = new Set(citedIds(markdown));
  const ids = new Set(named.map(({ id }) => id));
  return findings.filter(({ id, citations }) => ids.has(id) || citations.some((source) => cited.has(source)));
}
