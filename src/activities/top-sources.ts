import type { RankedSection } from '../core/contracts/outline';
import type { CataloguedSource, SourceCatalogue } from '../core/contracts/source';
import { READ_FROM } from '../core/ranking/settle-outline';

/**
 * The top N of a section (document 002): as many of its best-ranked sources as have something to say to it, `most` at
 * most. N differs from section to section.
 */
export function topSources(
  { sourceScores }: RankedSection,
  catalogue: SourceCatalogue,
  most: number,
): CataloguedSource[] {
  const byId = new Map(catalogue.sources.map((source) => [source.id, source]));
  return sourceScores
    .filter(({ relevance }) => relevance >= READ_FROM)
    .slice(0, most)
    .flatMap(({ sourceId }) => byId.get(sourceId) ?? []);
}
