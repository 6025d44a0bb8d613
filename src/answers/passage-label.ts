import type { AnswerPassage, PageRange } from '../contracts/answer/answer-passage';

/** A passage's place in the order of relevance: 3 for `P3`. */
export function passageNumber({ id }: Pick<AnswerPassage, 'id'>): number {
  return Number(id.slice(1));
}

/** `5`, or `5-6`. */
export function pageNumbers({ from, to }: PageRange): string {
  return from === to ? `${from}` : `${from}-${to}`;
}

/** `1: p.5-6`, or `1` where the page is not known; what stands in square brackets (document 003). */
export function passageLabel(n: number, pages: PageRange | null): string {
  return pages === null ? `${n}` : `${n}: p.${pageNumbers(pages)}`;
}
