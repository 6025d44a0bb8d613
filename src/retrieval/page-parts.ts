import type { Page } from '../contracts/source/source';
import { groupedBy } from '../core/values/grouped-by';

interface Span {
  start: number;
  end: number;
}

interface Paged {
  /** Those of the passage, in their order. */
  sentences: readonly Span[];
  pages: readonly Page[] | undefined;
  bestStart: number | null;
}

/** A span page by page, so that a citation names the page on which it stands: the page of the best sentence first. */
export function pageParts(span: Span, { sentences, pages, bestStart }: Paged): Span[] {
  if (pages === undefined || pages.length === 0) return [span];
  const pageOf = ({ start }: Span): number | undefined =>
    pages.findLast((page) => page.start <= start)?.number;
  const within = sentences.filter(({ start, end }) => start >= span.start && end <= span.end);
  const parts = [...groupedBy(within, pageOf).values()].map((own) => ({
    start: Math.min(...own.map(({ start }) => start)),
    end: Math.max(...own.map(({ end }) => end)),
    isBest: own.some(({ start }) => start === bestStart),
  }));
  return parts.sort((a, b) => Number(b.isBest) - Number(a.isBest)).map(({ start, end }) => ({ start, end }));
}
