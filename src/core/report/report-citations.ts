import { citedIds } from '../text/citation-marks';
import type { ReportCitation } from '../../contracts/report/report';
import type { CataloguedSource, Work } from '../../contracts/source/source';
import { originalFacts } from '../sources/original-facts';
import { groupedBy } from '../values/grouped-by';
import type { CitationNumbers } from './citation-numbers';

/** The sources that have a number, in its order, and how often the texts cite them. */
export function reportCitations(
  texts: readonly string[],
  numbers: CitationNumbers,
  sources: ReadonlyMap<string, CataloguedSource>,
  readInFull: ReadonlySet<string>,
): ReportCitation[] {
  const uses = citationUses(texts);
  return [...numbers].flatMap(([sourceId, n]): ReportCitation[] => {
    const source = sources.get(sourceId);
    if (source === undefined) return [];
    const { url, title, author, site, publishedAt, accessedAt, quality, retracted, abstractOnly, work } =
      source;
    const versionOf = source.versionOf === undefined ? undefined : numbers.get(source.versionOf);
    return [
      {
        n,
        sourceId,
        url,
        title,
        author,
        site,
        publishedAt,
        accessedAt,
        ...originalFacts(source),
        quality: { ...quality, reason: quality.reason },
        timesCited: uses.get(sourceId) ?? 0,
        readInFull: readInFull.has(sourceId),
        ...(retracted === undefined ? {} : { retracted }),
        ...(abstractOnly === undefined ? {} : { abstractOnly }),
        ...(versionOf === undefined ? {} : { versionOfN: versionOf }),
        ...(work === undefined ? {} : { work }),
      },
    ];
  });
}

export function citationUses(texts: readonly string[]): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const id of texts.flatMap((text) => citedIds(text))) uses.set(id, (uses.get(id) ?? 0) + 1);
  return uses;
}

type OfWork = Pick<ReportCitation, 'sourceId' | 'work'>;

/** How many sources these are, where the parts of one work are one. */
export function countWorks(citations: readonly OfWork[]): number {
  return new Set(citations.map(rootOf)).size;
}

/** The sources by their works, in the order of the first part of each; a source that stands alone is a group without a work. */
export function byWork<Cited extends OfWork>(
  citations: readonly Cited[],
): { work: Work | undefined; parts: Cited[] }[] {
  return [...groupedBy(citations, rootOf).values()].map((parts) => ({ work: parts[0]?.work, parts }));
}

function rootOf({ sourceId, work }: OfWork): string {
  return work?.id ?? sourceId;
}
