import type { TextsShown } from '../contracts/source/texts-shown';
import type { DocumentEvidence, DocumentTree } from './document';

/** Licences by which everybody may pass a text on, for whatever purpose, as their names and addresses read as words. */
const OPEN: readonly RegExp[] = [
  /\bcc ?(?:0|zero)\b|\bcreative ?commons (?:cc ?)?zero\b/,
  // No derivatives, but a part that is shown word for word is none.
  /\bcc ?by\b/,
  /\bcreative ?commons (?:org )?(?:licen[cs]es? )?(?:by|attribution)\b/,
  /\b(?:public ?domain|pd mark)\b|^pd$/,
  /\b(?:pddl|odc by|odbl)\b|\bopen data commons\b|\bopendatacommons org licenses\b/,
  /\bgfdl\b|\bgnu (?:free documentation licen[cs]e|fdl)\b|\bgnu org (?:licenses|copyleft) fdl\b/,
  /\bogl(?: uk)?\b|\bopen government licen[cs]e\b/,
  /\bgnu org licenses a?gpl\b|^a?gpl(?: v?\d.*)?$/,
  // Names that are words of other texts as well have to stand alone.
  /^(?:the )?(?:mit|isc|apache|bsd)(?: software)?(?: licen[cs]e)?(?: version| v)?(?: ?[\d ]+)?(?: clause)?(?: licen[cs]e)?$/,
  /\b(?:opensource org licenses?|spdx org licenses) (?:mit|apache|bsd|isc)\b|\bapache org licenses\b/,
];

/** A page cannot know whether its reader earns with it; and what denies or reserves a right gives none. */
const CLOSED =
  /\bnc\b|\bnon ?commercial|\bnot\b|\bno cc\b|\ball rights reserved\b|\bnon ?exclusive\b|\bexcept\b/;

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

/**
 * Whether a licence, by its name or address as archives and people write it, lets everybody pass the text on. What is not known is
 * not open: a text that is left out costs a click, one that is shown without a right is somebody's.
 */
export function isOpenLicence(licence: string): boolean {
  const words = licence
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return !CLOSED.test(words) && OPEN.some((name) => name.test(words));
}
