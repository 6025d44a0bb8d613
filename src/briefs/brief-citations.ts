import type { BriefCitation } from '../contracts/brief/brief';
import type { BriefSource } from '../contracts/brief/brief-material';
import { citationMark } from '../core/text/citation-marks';
import { type CitationNumbers, numberCitations } from '../core/report/citation-numbers';
import { originalFacts } from '../core/sources/original-facts';
import { citationUses } from '../core/report/report-citations';

export interface BriefCitations {
  numbers: CitationNumbers;
  /** All of the index; those that the text cites have the first numbers. */
  all: BriefCitation[];
  /** Those that the text cites: they stand in its list of sources. */
  listed: BriefCitation[];
}

/**
 * Sources are numbered as they first appear: in the texts, then in what is set aside. What nothing names comes after them,
 * in the order of the index, so that every source has a number by which it can be told of.
 */
export function briefCitations(
  texts: readonly string[],
  asideIds: readonly string[],
  sources: readonly BriefSource[],
): BriefCitations {
  const byId = new Map(sources.map((source) => [source.id, source]));
  const inTexts = numberCitations(texts, byId);
  const named = numberCitations([...texts, ...asideIds.map((id) => citationMark([id]))], byId);
  const rest = sources.filter(({ id }) => !named.has(id)).map(({ id }) => id);
  const numbers = new Map([...named, ...rest.map((id, at) => [id, named.size + at + 1] as const)]);
  const uses = citationUses(texts);
  const all = [...numbers].flatMap(([sourceId, n]): BriefCitation[] => {
    const source = byId.get(sourceId);
    if (source === undefined) return [];
    const { url, title, author, site, publishedAt, accessedAt, quality, contentRef } = source;
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
        inFull: contentRef !== null,
      },
    ];
  });
  return { numbers, all, listed: all.slice(0, inTexts.size) };
}
