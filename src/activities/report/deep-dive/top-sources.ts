import type { RankedSection } from '../../../contracts/report/outline';
import type { CataloguedSource } from '../../../contracts/source/source';
import { READ_FROM } from '../../../core/ranking/ranked-outline';
import type { Catalogue } from '../gather/catalogue';

/**
 * The top N of a section (document 002): as many of its best-ranked sources as have something to say to it, `most` at
 * most. N differs from section to section.
 */
export async function topSources(
  { sourceScores }: RankedSection,
  catalogue: Catalogue,
  most: number,
): Promise<CataloguedSource[]> {
  const top = sourceScores.filter(({ relevance }) => relevance >= READ_FROM).slice(0, most);
  const byId = await catalogue.named(top.map(({ sourceId }) => sourceId));
  return top.flatMap(({ sourceId }) => byId.get(sourceId) ?? []);
}
