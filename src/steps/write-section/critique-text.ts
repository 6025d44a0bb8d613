import { criticisedClaims } from '../material/criticised-claims';
import { materialBlock } from '../material/material-block';
import type { ShortIds } from '../material/short-ids';
import type { WriteSectionInput } from './contract';

/** What was wrong with an earlier text, in words; nothing where there was none. */
export function critiqueText(
  { critique, sources: given }: Pick<WriteSectionInput, 'critique' | 'sources'>,
  sources: ShortIds,
  mark: string,
): string {
  if (critique === undefined) return '';
  const known = new Set(given.map(({ sourceId }) => sourceId));
  const naming = (ids: readonly string[]): string =>
    ids
      .filter((id) => known.has(id))
      .map((id) => `[${sources.shortOf(id)}]`)
      .join('');
  return `An earlier text of this section was audited, and this was wrong with it:
${materialBlock(mark, 'critique', criticisedClaims(critique, naming))}
Write the section anew without these errors: say of these points only what the quotes say, keep to their words, and cite the source that says it. What was not criticised was right; tell it again.

`;
}
