import type { Critique } from '../../contracts/verification/critique';
import type { CitableSource } from './citable-source';
import { criticisedClaims } from './criticised-claims';
import { materialBlock } from './material-block';
import { citedAs, type ShortIds } from './short-ids';

export function critiqueText(
  what: 'section' | 'summary',
  { critique, sources: given }: { critique?: Critique | undefined; sources: readonly CitableSource[] },
  sources: ShortIds,
  mark: string,
): string {
  if (critique === undefined) return '';
  return `An earlier text of this ${what} was audited, and this was wrong with it:
${materialBlock(mark, 'critique', criticisedClaims(critique, citedAs(sources, given)))}
Write the ${what} anew without these errors: say of these points only what the quotes say, keep to their words, and cite the source that says it. What was not criticised was right; tell it again.

`;
}
