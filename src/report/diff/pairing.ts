import { DiffSource, type Report, type ReportCitation, type ReportDiff } from '../../contracts/report';
import type { CataloguedSource } from '../../contracts/source';
import { normaliseUrl } from '../../evidence/source-records';
import { groupBy } from '../../lib/iterables';
import { sentenceKey } from '../../text/duplicates';

type NumberedSource = Pick<ReportCitation, 'n' | 'sourceId' | 'url' | 'title'>;

/** Citation number → a key that both reports use for the same source. */
export type SourceKeys = ReadonlyMap<number, string>;

export interface PairedSources {
  before: SourceKeys;
  after: SourceKeys;
}

type MayPair = (one: NumberedSource, other: NumberedSource) => boolean;

/** Pairs sources by id, then by address, then by title if one has no address: the id of a note is made of its text. */
export function pairSources(
  before: readonly NumberedSource[],
  after: readonly NumberedSource[],
): PairedSources {
  const keys = { before: new Map<number, string>(), after: new Map<number, string>() };
  const pairBy = (nameOf: (citation: NumberedSource) => string | null, mayPair: MayPair): void => {
    const names = groupBy(
      after.filter(({ n }) => !keys.after.has(n)),
      nameOf,
    );
    const own = groupBy(
      before.filter(({ n }) => !keys.before.has(n)),
      nameOf,
    );
    for (const [name, [citation, ...others]] of own) {
      if (name === null || name === '') continue;
      const [partner, ...rivals] = names.get(name) ?? [];
      // A title that several notes share identifies none of them.
      if (citation === undefined || partner === undefined || others.length + rivals.length > 0) continue;
      if (!mayPair(citation, partner)) continue;
      keys.before.set(citation.n, `both ${citation.n}`);
      keys.after.set(partner.n, `both ${citation.n}`);
    }
  };
  pairBy(
    ({ sourceId }) => sourceId,
    (one, other) => !areDifferentSources(one, other),
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

/** Serial ids (`1`, `2`, …) may name other sources in another list. */
function areDifferentSources(one: NumberedSource, other: NumberedSource): boolean {
  return (
    one.url !== null &&
    other.url !== null &&
    normaliseUrl(one.url) !== normaliseUrl(other.url) &&
    sentenceKey(one.title) !== sentenceKey(other.title)
  );
}

/** Section id in the earlier report → its id in the later one. */
export type SectionPairs = ReadonlyMap<string, string>;

/** Pairs equal titles; others by the most shared findings, if these are at least half of a section's findings in both reports. */
export function pairSections(
  before: Report['sections'],
  after: Report['sections'],
  moves: readonly { before: string; after: string }[],
): SectionPairs {
  const pairs = pairBestFirst(before, after, (one, other) => sectionSimilarity(one, other, moves));
  return new Map(
    [...pairs].flatMap(([at, against]): [string, string][] => {
      const [one, other] = [before[at], after[against]];
      return one === undefined || other === undefined ? [] : [[one.id, other.id]];
    }),
  );
}

function sectionSimilarity(
  one: Report['sections'][number],
  other: Report['sections'][number],
  moves: readonly { before: string; after: string }[],
): number {
  const sameTitle = sentenceKey(one.title) === sentenceKey(other.title);
  const left = moves.filter(({ before }) => before === one.id);
  const right = moves.filter(({ after }) => after === other.id);
  const shared = left.filter(({ after }) => after === other.id).length;
  if (sameTitle) return moves.length + 1 + shared;
  return shared * 2 >= Math.min(left.length, right.length) ? shared : 0;
}

interface Candidate {
  before: number;
  after: number;
  score: number;
}

/** Pairs indices one to one by decreasing likeness above 0; ties in list order. Swapping the lists only swaps the pairs. */
export function pairBestFirst<One, Other>(
  before: readonly One[],
  after: readonly Other[],
  likeness: (one: One, other: Other, at: { before: number; after: number }) => number,
): Map<number, number> {
  const candidates = before.flatMap((one, at) =>
    after.map((other, against): Candidate => {
      const places = { before: at, after: against };
      return { ...places, score: likeness(one, other, places) };
    }),
  );
  const pairs = new Map<number, number>();
  const taken = new Set<number>();
  const ordered = candidates
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.before - b.before || a.after - b.after);
  for (const { before: at, after: against } of ordered) {
    if (pairs.has(at) || taken.has(against)) continue;
    pairs.set(at, against);
    taken.add(against);
  }
  return pairs;
}

export type ReadSource = Pick<
  CataloguedSource,
  'id' | 'url' | 'title' | 'author' | 'site' | 'publishedAt' | 'contentRef'
>;

export interface ReadSources {
  before: readonly ReadSource[];
  after: readonly ReadSource[];
}

export interface ComparedSources {
  /** Null if the sources that were read are unknown. */
  read: ReportDiff['sources']['read'];
  unchanged: number;
  /** Ids of sources whose text differs in the other run, or that it lacks. */
  moved: { before: ReadonlySet<string>; after: ReadonlySet<string> };
}

export function compareSources(sources: ReadSources | null): ComparedSources {
  if (sources === null) return { read: null, unchanged: 0, moved: { before: new Set(), after: new Set() } };
  const numbered = (list: readonly ReadSource[]): Parameters<typeof pairSources>[0] =>
    list.map(({ id, url, title }, index) => ({ n: index + 1, sourceId: id, url, title }));
  const keys = pairSources(numbered(sources.before), numbered(sources.after));
  const earlier = new Map(sources.before.map((source, index) => [keys.before.get(index + 1), source]));
  const later = new Map(sources.after.map((source, index) => [keys.after.get(index + 1), source]));
  const came = [...later].filter(([key]) => !earlier.has(key)).map(([, source]) => source);
  const went = [...earlier].filter(([key]) => !later.has(key)).map(([, source]) => source);
  const changed = [...later].flatMap(([key, after]) => {
    const before = earlier.get(key);
    return before === undefined || before.contentRef === after.contentRef ? [] : [{ before, after }];
  });
  const told = (list: readonly ReadSource[]): DiffSource[] => list.map((source) => DiffSource.parse(source));
  return {
    read: { changed: told(changed.map(({ after }) => after)), came: told(came), went: told(went) },
    unchanged: later.size - came.length - changed.length,
    moved: {
      before: new Set([...went, ...changed.map(({ before }) => before)].map(({ id }) => id)),
      after: new Set([...came, ...changed.map(({ after }) => after)].map(({ id }) => id)),
    },
  };
}
