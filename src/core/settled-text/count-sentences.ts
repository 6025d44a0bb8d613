import type { CheckedText } from '../../contracts/report/draft';

/** How many sentences of a text were not borne by what they cite; null where no model wrote it. */
export function unborneIn(checked: CheckedText | undefined): number | null {
  if (checked === undefined) return null;
  return checked.leftOut + checked.sentences.filter(({ standing }) => standing === 'own-words').length;
}
