import type { Warning } from '../contracts/run';
import type { CataloguedSource, ReadSource, SourceEntry, SourcesRead } from '../contracts/source';
import { citationUrl } from '../lib/url';

// All sources of a run as a list: read, skipped, or the same as another one.

/** Longer lists are cut: the list is for readers, and the manifest of the run has all sources. */
const MAX_LISTED = 5_000;

type Given = Pick<SourceEntry, 'id' | 'title' | 'file' | 'url' | 'summaryOnly' | 'pagesWithoutText'>;

export interface GivenSources {
  sources: readonly Given[];
  /** Of the import: `source-skipped` and `source-repeated` name a file and a reason. */
  warnings: readonly Warning[];
  /** Sources with the address of another one. */
  merged?: readonly { id: string; into: string }[];
  /** Id → id of the source whose text it nearly repeats. */
  nearDuplicates?: ReadonlyMap<string, string>;
  cited: ReadonlySet<string>;
}

/** Read sources in the order given, then those that were skipped or repeat others. */
export function listSourcesRead(given: GivenSources, maxListed = MAX_LISTED): SourcesRead {
  const { warnings, merged = [], nearDuplicates, cited } = given;
  const names = new Map(given.sources.map((source) => [source.id, source.file ?? source.title]));
  const same = new Map(merged.map(({ id, into }) => [id, into]));
  const nameOf = (id: string | undefined): string | undefined =>
    id === undefined ? undefined : names.get(id);
  const listed = given.sources.map((source): ReadSource => {
    const { id, title, file, url, summaryOnly, pagesWithoutText } = source;
    const address = citationUrl(url);
    const sameAs = nameOf(same.get(id));
    const nearlySameAs = nameOf(nearDuplicates?.get(id));
    return {
      sourceId: id,
      status: sameAs === undefined ? (summaryOnly === true ? 'summary-only' : 'read') : 'repeated',
      title,
      ...(file === undefined ? {} : { file }),
      ...(address === null ? {} : { url: address }),
      ...(pagesWithoutText === undefined ? {} : { pagesWithoutText }),
      ...(sameAs === undefined ? {} : { sameAs }),
      ...(nearlySameAs === undefined ? {} : { nearlySameAs }),
      cited: cited.has(id),
    };
  });
  const unread = warnings.flatMap(unreadSource);
  // What was not read stands in no other list.
  const shown = unread.slice(0, maxListed);
  const sources = [...listed.slice(0, maxListed - shown.length), ...shown];
  return { sources, more: listed.length + unread.length - sources.length };
}

const NAMED = /^(.+?): (.+)$/s;
const SAME_AS = /^the same as (.+?)(?:, and counts once)?$/s;

/** From `FILE: REASON`; a warning without a file counts the others. */
function unreadSource({ code, message }: Warning): ReadSource[] {
  if (code !== 'source-skipped' && code !== 'source-repeated') return [];
  const [, file, reason = message] = NAMED.exec(message) ?? [];
  const named = file === undefined ? {} : { file };
  const sameAs = SAME_AS.exec(reason)?.[1];
  return code === 'source-repeated' && sameAs !== undefined
    ? [{ status: 'repeated', ...named, sameAs, cited: false }]
    : [{ status: 'skipped', ...named, reason, cited: false }];
}

export function nearDuplicatesOf(
  sources: readonly Pick<CataloguedSource, 'id' | 'nearDuplicateOf'>[],
): [string, string][] {
  return sources.flatMap(({ id, nearDuplicateOf }) =>
    nearDuplicateOf === undefined ? [] : [[id, nearDuplicateOf] as [string, string]],
  );
}
