import { DiffSource, type ReportDiff } from '../contracts/report/report-diff';
import type { CataloguedSource } from '../contracts/source/source';
import { pairSources } from './pair-sources';

export type ReadSource = Pick<
  CataloguedSource,
  'id' | 'url' | 'title' | 'author' | 'site' | 'publishedAt' | 'contentRef'
>;

export interface ReadSources {
  before: readonly ReadSource[];
  after: readonly ReadSource[];
}

export interface ComparedSources {
  /** Null where it is not known what was read. */
  read: ReportDiff['sources']['read'];
  unchanged: number;
  /** Ids of those that are not so in the other run: with another text there, or not at all. */
  moved: { before: ReadonlySet<string>; after: ReadonlySet<string> };
}

/** Which sources have another text, which came and which went; a source is the same by id, address or title. */
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
