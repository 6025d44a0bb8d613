import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { WorkAccount, SearchAccount, RunSearch } from '../../../contracts/run/search';
import type { SourceEntry } from '../../../contracts/source/source';
import type { Work } from '../../../search/found-works';
import { citedAddress } from '../../../sources/pages/told-address';
import { storeArtifact } from '../artifacts';
import type { ActivityPorts } from '../ports';
import { readFound } from './choose-works';
import { type TriedWork, readTried } from './search-artifacts';

export interface SettleSearchInput {
  runId: string;
  search: RunSearch;
  round: number;
  resultsRefs: ArtifactRef[];
  triedRef: ArtifactRef | null;
  /** Why no more was read; null where all was tried. */
  isOver: 'pages' | 'tries' | 'bytes' | 'time' | null;
}

export interface SettledSearch {
  /** The sources that this round has found; null where it has found none. */
  manifestRef: ArtifactRef | null;
  sourceCount: number;
  sourceChars: number;
  accountRef: ArtifactRef;
  /** Why nothing was found, as a clause; null where something was. */
  nothing: string | null;
}

const LEFT: Record<NonNullable<SettleSearchInput['isOver']>, string> = {
  pages: 'others answer better, and the pages that a search reads were read (search.maxPages)',
  tries:
    'others answer better, and so many could not be read that no more are tried for the pages that a search reads (search.maxPages)',
  bytes: 'others answer better, and the bytes that a search reads were read (search.maxBytes)',
  time: 'others answer better, and the time for reading was over (search.maxTimeMs)',
};

/** Lists what a round has read as sources, each text and each address once, and writes down what became of all that was found. */
export async function settleSearch(
  { content }: ActivityPorts,
  { runId, search, round, resultsRefs, triedRef, isOver }: SettleSearchInput,
): Promise<SettledSearch> {
  const { works, queries, problems } = await readFound(content, resultsRefs);
  const tried = withoutRepeats(await readTried(content, triedRef));
  const byKey = new Map(tried.flatMap((one) => one.keys.map((key) => [key, one] as const)));
  const triedOf = ({ keys }: Work): TriedWork | undefined => keys.map((key) => byKey.get(key)).find(Boolean);
  const named = new Map(works.flatMap((work) => work.keys.map((key) => [key, work] as const)));
  const firstOf = ({ versionOf }: Work): Work | undefined =>
    versionOf === null ? undefined : named.get(versionOf);
  const versions = versionsOf(works, triedOf, firstOf);
  const sources: SourceEntry[] = [];
  let chars = 0;
  for (const { entries } of tried.filter((one) => one.round === round)) {
    for (const { contentChars } of entries) chars += contentChars;
    sources.push(...entries.map((entry) => ({ ...entry, ...versions.get(entry.id) })));
  }
  const count = sources.length;
  const warnings = problems.map((problem) => ({
    code: 'search',
    message: `Not all was searched: ${problem}`,
  }));
  const account: SearchAccount = {
    indexes: search.indexes.map(({ name }) => name),
    rounds: round,
    queries,
    problems,
    works: works.map((work) =>
      accountOf(work, triedOf(work), { version: firstOf(work), left: LEFT[isOver ?? 'pages'] }),
    ),
  };
  return {
    manifestRef: count === 0 ? null : await storeArtifact(content, runId, { sources, warnings }),
    sourceCount: count,
    sourceChars: chars,
    accountRef: await storeArtifact(content, runId, account),
    nothing: count === 0 ? nothingFound(account) : null,
  };
}

/** Two addresses may lead to one page, and two pages may have one text: the first that was read stands for both. */
function withoutRepeats(tried: readonly TriedWork[]): TriedWork[] {
  const seen = new Set<string>();
  return tried.map((one) => {
    const entries = one.entries.filter(({ id, contentRef }) => !seen.has(id) && !seen.has(contentRef));
    for (const { id, contentRef } of entries) seen.add(id).add(contentRef);
    if (entries.length > 0 || one.entries.length === 0) return { ...one, entries };
    return {
      ...one,
      entries,
      outcome: 'duplicate' as const,
      reason: 'another that was read has the same text',
    };
  });
}

/** The source of the first version that was read, by that of another. */
function versionsOf(
  works: readonly Work[],
  triedOf: (work: Work) => TriedWork | undefined,
  firstOf: (work: Work) => Work | undefined,
): Map<string, Pick<SourceEntry, 'versionOf'>> {
  const idOf = (work: Work | undefined): string | undefined =>
    work === undefined ? undefined : triedOf(work)?.entries[0]?.id;
  return new Map(
    works.flatMap((work) => {
      const [id, first] = [idOf(work), idOf(firstOf(work))];
      return id === undefined || first === undefined || id === first
        ? []
        : [[id, { versionOf: first }] as const];
    }),
  );
}

function accountOf(
  work: Work,
  tried: TriedWork | undefined,
  { version, left }: { version: Work | undefined; left: string },
): WorkAccount {
  const { title, url, openUrl, doi, indexes, isRetracted } = work;
  const address = url ?? openUrl;
  const { outcome = 'unread', reason = tried === undefined ? left : undefined, entries = [] } = tried ?? {};
  return {
    title,
    url: address === null ? null : citedAddress(address, address),
    ...(doi === null ? {} : { doi }),
    indexes,
    outcome,
    ...(reason === undefined ? {} : { reason }),
    ...(entries.length === 0 ? {} : { sourceIds: entries.map(({ id }) => id) }),
    ...(isRetracted ? { retracted: true as const } : {}),
    ...(version === undefined ? {} : { versionOf: version.title }),
  };
}

const MOST_REASONS = 3;

function nothingFound({ works, queries, indexes, problems }: SearchAccount): string {
  const asked = `${indexes.join(', ')} (${queries.length === 1 ? 'one query' : `${queries.length} queries`})`;
  const told = problems.length === 0 ? '' : `; ${problems.slice(0, MOST_REASONS).join('; ')}`;
  if (works.length === 0) return `the search of ${asked} found nothing${told}`;
  const counts = new Map<string, number>();
  for (const { reason = '' } of works) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = [...counts].sort(([, a], [, b]) => b - a).slice(0, MOST_REASONS);
  const why = reasons.map(([reason, count]) => `${count}: ${reason}`).join('; ');
  return `the search of ${asked} found ${works.length}, and nothing of it could be read: ${why}${told}`;
}
