import type { BibliographyEntry, CitedReport } from '../cited-text/cited-report';
import { matchSources, type MatchedBy, type SourceMatch } from '../cited-text/matching/match-sources';
import { distinctBy } from '../core/values/distinct-by';
import { namedByAddress, namedByTitle, type NamedSource } from './named-source';
import type { NumberedSources } from './numbered-sources';

/** By these an entry that has an address is a source that was given, whatever form its address has. */
const SAME_PAGE: readonly (MatchedBy | null)[] = ['address', 'page', 'doi'];

/**
 * Which source each citation of a summary means, by its place among them; null where there is none. What the summary's own list
 * says stands before the numbers of the list that was given with it; `summaryEnd` is where the former ends.
 */
export function resolveCitations(
  { citations, entries }: CitedReport,
  { numbered, records }: NumberedSources,
  summaryEnd: number,
): (NamedSource | null)[] {
  const given = distinctBy([...records, ...numbered], ({ key }) => key);
  const own = entries.filter(({ start }) => start < summaryEnd);
  const matches = matchSources(
    own,
    given.map(({ key, url, title = null, author = null, publishedAt = null }) => ({
      id: key,
      url,
      title,
      author,
      publishedAt,
    })),
  );
  const byKey = new Map(given.map((source) => [source.key, source]));
  const matchOf = new Map(own.map((entry, at) => [entry, matches[at]]));
  const ofEntry = entries.map((entry) =>
    sourceOf(entry, matchOf.get(entry), { numbered, byKey, summaryEnd }),
  );
  return citations.map((citation) => {
    if (citation.entry !== null) return ofEntry[citation.entry] ?? null;
    return numbered[Number(citation.label) - 1] ?? null;
  });
}

interface Known {
  numbered: readonly NamedSource[];
  byKey: ReadonlyMap<string, NamedSource>;
  summaryEnd: number;
}

function sourceOf(
  entry: BibliographyEntry,
  match: SourceMatch | undefined,
  { numbered, byKey, summaryEnd }: Known,
): NamedSource | null {
  const { url, label, start } = entry;
  const byNumber = label === null ? undefined : numbered[Number(label) - 1];
  if (start >= summaryEnd) return byNumber ?? null;
  const isSame = url === null || SAME_PAGE.includes(match?.how ?? null);
  const given = isSame && match?.source ? byKey.get(match.source) : undefined;
  if (given !== undefined) return told(given, entry);
  if (url !== null) return told(namedByAddress(url), entry);
  if (byNumber !== undefined) return told(byNumber, entry);
  const title = entry.title ?? (entry.author === null && entry.year === null ? null : entry.text);
  return title === null ? null : told(namedByTitle(title), entry);
}

/** With what the summary says of it: who wrote it, and when, cannot be told for sure beside an address. */
function told(source: NamedSource, { url, title, author, year, origin }: BibliographyEntry): NamedSource {
  const written = { title: source.title ?? title ?? undefined };
  if (origin === 'link') return { ...source, words: title ?? undefined };
  if (url !== null) return { ...source, ...written };
  return {
    ...source,
    ...written,
    author: source.author ?? author ?? undefined,
    publishedAt: source.publishedAt ?? year ?? undefined,
  };
}
