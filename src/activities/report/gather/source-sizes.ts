import type { CataloguedSource } from '../../../contracts/source/source';
import type { Catalogue } from './catalogue';

/** What decides where groups end, of all sources. */
export async function sizesOf(
  catalogue: Catalogue,
): Promise<Pick<CataloguedSource, 'id' | 'contentChars' | 'group'>[]> {
  const sizes: Pick<CataloguedSource, 'id' | 'contentChars' | 'group'>[] = [];
  for await (const part of catalogue.parts())
    for (const { id, contentChars, group } of part) sizes.push({ id, contentChars, group });
  return sizes;
}
