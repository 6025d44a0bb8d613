import type { PageRange } from '../../contracts/answer/answer-passage';
import type { Page } from '../../contracts/source/source';
import { greatest, least } from '../values/extremes';

/** The pages on which something of a span stands; null where none is known. */
export function pagesOf(pages: readonly Page[] | undefined, start: number, end: number): PageRange | null {
  const held = (pages ?? []).filter((page) => page.start < end && page.end > start);
  const [first, last] = [held[0], held.at(-1)];
  if (first === undefined || last === undefined) return null;
  const numbers = held.map(({ number }) => number);
  const names = [...new Set([first.name, last.name])].filter((name) => name !== undefined);
  const range = { from: least(numbers), to: greatest(numbers) };
  return names.length === 0 ? range : { ...range, name: names.join(' – ') };
}

export function placeOfQuote(
  pages: readonly Page[] | undefined,
  { start, end }: { start: number; end: number },
): { page?: number; place?: string } {
  const range = pagesOf(pages, start, end);
  if (range === null) return {};
  return range.name === undefined ? { page: range.from } : { place: range.name };
}
