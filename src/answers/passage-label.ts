import type { AnswerPassage, PageRange } from '../contracts/answer/answer-passage';

/** A passage's place in the order of relevance: 3 for `P3`. */
export function passageNumber({ id }: Pick<AnswerPassage, 'id'>): number {
  return Number(id.slice(1));
}

/** `5`, or `5-6`. */
export function pageNumbers({ from, to }: PageRange): string {
  return from === to ? `${from}` : `${from}-${to}`;
}

/** `1: p.5-6`, or `1` where no page is known; what stands in square brackets (document 003), and is copied by models. */
export function passageLabel(n: number, pages: PageRange | null): string {
  return pages === null || pages.name !== undefined ? `${n}` : `${n}: p.${pageNumbers(pages)}`;
}
