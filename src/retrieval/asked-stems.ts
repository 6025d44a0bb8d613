import { areForms, FORM_SHARE, SHARED_START } from '../reading/features/matches';

/** A stem of the index that a word of the question is met by, and by how much. */
export interface MetBy {
  stem: number;
  share: number;
}

/** The word's own stem, and those that may be of another form of it. `stems` are in the order of their UTF-16 units. */
export function stemsMeeting(word: string, stems: readonly string[]): MetBy[] {
  const own = placeOf(word, stems);
  const met: MetBy[] = stems[own] === word ? [{ stem: own, share: 1 }] : [];
  if (word.length < SHARED_START) return met;
  const start = word.slice(0, SHARED_START);
  for (let at = placeOf(start, stems); stems[at]?.startsWith(start) === true; at += 1) {
    if (at !== own && areForms(stems[at] ?? '', word)) met.push({ stem: at, share: FORM_SHARE });
  }
  return met;
}

/** The place of the first stem that is not before the text. */
export function placeOf(text: string, stems: readonly string[]): number {
  let low = 0;
  let high = stems.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((stems[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
