import type { ReportCitation } from '../contracts/report/report';
import { groupedBy } from '../core/values/grouped-by';
import { sentenceKey } from '../core/duplicates/near-duplicate-sentences';
import { normaliseUrl } from '../core/sources/source-url';

type NumberedSource = Pick<ReportCitation, 'n' | 'sourceId' | 'url' | 'title'>;

/** Citation number → a key that the same source has in both reports. */
export type SourceKeys = ReadonlyMap<number, string>;

export interface PairedSources {
  before: SourceKeys;
  after: SourceKeys;
}

type MayPair = (one: NumberedSource, other: NumberedSource) => boolean;

/**
 * The sources that two reports share: of the same id, else of the same address, else, where one has no address, of the
 * same title. A note without an address has an id from its text, so that a corrected note is only known by its title.
 */
export function pairSources(
  before: readonly NumberedSource[],
  after: readonly NumberedSource[],
): PairedSources {
  const keys = { before: new Map<number, string>(), after: new Map<number, string>() };
  const pairBy = (nameOf: (citation: NumberedSource) => string | null, mayPair: MayPair): void => {
    const names = groupedBy(
      after.filter(({ n }) => !keys.after.has(n)),
      nameOf,
    );
    const own = groupedBy(
      before.filter(({ n }) => !keys.before.has(n)),
      nameOf,
    );
    for (const [name, [citation, ...others]] of own) {
      if (name === null || name === '') continue;
      const [partner, ...rivals] = names.get(name) ?? [];
      // A title that several notes share names none of them.
      if (citation === undefined || partner === undefined || others.length + rivals.length > 0) continue;
      if (!mayPair(citation, partner)) continue;
      keys.before.set(citation.n, `both ${citation.n}`);
      keys.after.set(partner.n, `both ${citation.n}`);
    }
  };
  pairBy(
    ({ sourceId }) => sourceId,
    (one, other) => !contradict(one, other),
  );
  pairBy(
    ({ url }) => (url === null ? null : normaliseUrl(url)),
    () => true,
  );
  pairBy(
    ({ title }) => sentenceKey(title),
    (one, other) => one.url === null || other.url === null,
  );
  for (const { n } of before) if (!keys.before.has(n)) keys.before.set(n, `before ${n}`);
  for (const { n } of after) if (!keys.after.has(n)) keys.after.set(n, `after ${n}`);
  return keys;
}

/** Ids that somebody counted out (`1`, `2`, …) may name other sources in another list. */
function contradict(one: NumberedSource, other: NumberedSource): boolean {
  return (
    one.url !== null &&
    other.url !== null &&
    normaliseUrl(one.url) !== normaliseUrl(other.url) &&
    sentenceKey(one.title) !== sentenceKey(other.title)
  );
}
