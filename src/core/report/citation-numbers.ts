import { citedIds, replaceMarks } from '../text/citation-marks';
import type { Report } from '../../contracts/report/report';
import type { SynthesisSettings } from '../../contracts/report/synthesis-settings';
import { createShifts } from '../text/shifted-offsets';
import { staysCitation } from '../text/stays-citation';
import { citationUrl } from './citation-url';

export type CitingReport = Pick<Report, 'citations' | 'citationStyle'>;

/** Source id → its number in the list of sources; numbers start at 1. */
export type CitationNumbers = ReadonlyMap<string, number>;

/** Source id → what stands for it in square brackets: its number, or its address. */
export type CitationLabels = ReadonlyMap<string, number | string>;

/** Numbers sources in the order in which the texts first cite them; ids that are not known get none. */
export function numberCitations(
  texts: readonly string[],
  known: ReadonlyMap<string, unknown>,
): CitationNumbers {
  const ids = texts.flatMap((text) => citedIds(text)).filter((id) => known.has(id));
  return new Map([...new Set(ids)].map((id, index) => [id, index + 1]));
}

/** What the text cites by. A source without an address of the web is cited by its number in either style. */
export function labelCitations(
  numbers: CitationNumbers,
  sources: ReadonlyMap<string, { url: string | null }>,
  style: SynthesisSettings['citationStyle'],
): CitationLabels {
  if (style === 'numbered') return numbers;
  return new Map([...numbers].map(([id, n]) => [id, citationUrl(sources.get(id)?.url ?? null) ?? n]));
}

export function reportLabels({ citations, citationStyle }: CitingReport): CitationLabels {
  const numbers = new Map(citations.map(({ sourceId, n }) => [sourceId, n]));
  const sources = new Map(citations.map((citation) => [citation.sourceId, citation]));
  return labelCitations(numbers, sources, citationStyle);
}

/** `[@a; @b]` becomes `[1][2]`; an id without a label is dropped, because it is not one of the run's sources. */
export function renderCitations(text: string, labels: CitationLabels): string {
  return renderWithOffsets(text, labels).rendered;
}

/** The same, and where an offset of the text that is in no mark lies in what was rendered. */
export function renderWithOffsets(
  text: string,
  labels: CitationLabels,
): { rendered: string; offsetOf: (offset: number) => number } {
  const shifts = createShifts();
  const rendered = replaceMarks(text, (ids, start, end) => {
    const marks = labelMarks(ids, labels);
    const closed = marks === '' || staysCitation(marks, text, start, end) ? marks : `${marks} `;
    return shifts.put(closed, start, end);
  });
  return { rendered, offsetOf: shifts.offsetOf };
}

/** `[1][2]` for ids, without repeats. Addresses stand apart, so that a renderer does not make one link of both. */
export function labelMarks(ids: readonly string[], labels: CitationLabels): string {
  const known = [...new Set(ids)].flatMap((id) => labels.get(id) ?? []);
  return known.map((label) => `[${label}]`).join(known.some((label) => typeof label === 'string') ? ' ' : '');
}

/** The numbers of ids, without repeats, in the order given. */
export function numbersOf(ids: readonly string[], numbers: CitationNumbers): number[] {
  return [...new Set(ids)].flatMap((id) => numbers.get(id) ?? []);
}
