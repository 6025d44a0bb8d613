import { citedIds, replaceMarks } from '../citation-marks';

/** Source id → the number that the reader sees; numbers start at 1. */
export type CitationNumbers = ReadonlyMap<string, number>;

/** Numbers sources in the order in which the texts first cite them; ids that are not known get none. */
export function numberCitations(
  texts: readonly string[],
  known: ReadonlyMap<string, unknown>,
): CitationNumbers {
  const ids = texts.flatMap((text) => citedIds(text)).filter((id) => known.has(id));
  return new Map([...new Set(ids)].map((id, index) => [id, index + 1]));
}

/** `[@a; @b]` becomes `[1][2]`; an id without a number is dropped, because it is not one of the run's sources. */
export function renderCitations(text: string, numbers: CitationNumbers): string {
  return replaceMarks(text, (ids) => numberMarks(ids, numbers));
}

/** `[1][2]` for ids, without repeats. */
export function numberMarks(ids: readonly string[], numbers: CitationNumbers): string {
  return numbersOf(ids, numbers)
    .map((n) => `[${n}]`)
    .join('');
}

/** The numbers of ids, without repeats, in the order given. */
export function numbersOf(ids: readonly string[], numbers: CitationNumbers): number[] {
  return [...new Set(ids)].flatMap((id) => numbers.get(id) ?? []);
}
