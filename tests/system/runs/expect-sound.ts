import type { EndedRun } from '../../support/follow-run';
import { SOURCES } from '../../support/report-script';

/** Whatever failed, what a report cites and quotes stands in its sources. */
export function expectSound({ report, markdown }: EndedRun): void {
  const numbers = new Set(report.citations.map(({ n }) => n));
  for (const [, n] of markdown.matchAll(/(?<!\\)\[(\d+)\]/g)) expect(numbers).toContain(Number(n));
  for (const { evidence } of report.claims) {
    for (const { n, quote, start, end } of evidence) {
      const id = report.citations.find((citation) => citation.n === n)?.sourceId;
      expect(SOURCES.find((source) => source.id === id)?.content.slice(start, end)).toBe(quote);
    }
  }
}
