import type { TextsShown } from '../contracts/source/texts-shown';
import type { DocumentEvidence, DocumentTree } from './document';
import { isOpenLicence } from './open-licence';

/**
 * The tree with the texts of its sources cut to what is cited where they are not to be shown. What has no address of the web is
 * the user's own, unless its licence says otherwise. Pure.
 */
export function withShownTexts(
  tree: DocumentTree,
  shown: TextsShown,
  licenceOf: (sourceId: string) => string | null,
): DocumentTree {
  const sources = new Map(tree.sources.map((source) => [source.n, source]));
  const withheldOf = (n: number): DocumentEvidence['withheld'] | null => {
    if (shown === 'all') return null;
    if (shown === 'none') return { by: 'setting' };
    const source = sources.get(n);
    const licence = licenceOf(source?.sourceId ?? '');
    const isShown = licence === null ? source?.url === null : isOpenLicence(licence);
    return isShown ? null : { by: 'licence', licence };
  };
  const cut = (place: DocumentEvidence): DocumentEvidence => {
    const withheld = place.before === '' && place.after === '' ? null : (withheldOf(place.source) ?? null);
    return withheld === null ? place : { ...place, before: '', after: '', withheld };
  };
  return { ...tree, claims: tree.claims.map((claim) => ({ ...claim, evidence: claim.evidence.map(cut) })) };
}
