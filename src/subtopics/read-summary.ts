import type { CitedReport } from '../cited-text/cited-report';
import { readCitedReport } from '../cited-text/read-cited-report';
import { withoutAttributions } from '../verification/report/without-attributions';

/**
 * A summary read as a report is, with the numbers of its list given to it, so that its marks are known for what they are. What
 * lies behind the summary's end is of that list. Numbers that the summary's own list has stay with that, and those that are links
 * lead where they link to.
 */
export function readSummary(summary: string, sources: number): CitedReport {
  const alone = readCitedReport(summary);
  const own = new Set([...alone.entries.map(({ label }) => label), ...linkedNumbers(summary)]);
  const written = new Set(numbersIn(summary));
  const lines = Array.from({ length: sources }, (_, at) => `${at + 1}`)
    .filter((label) => !own.has(label) && written.has(label))
    .map((label) => `[${label}] https://source.invalid/${label}`);
  const report = lines.length === 0 ? alone : readCitedReport(`${summary}${LIST}${lines.join('\n')}\n`);
  return withoutAttributions(report);
}

const LIST = '\n\n## Sources\n\n';

function numbersIn(text: string): string[] {
  return [...text.normalize('NFKC').matchAll(/\d+/g)].map(([number]) => `${Number(number)}`);
}

/** `[1](https://…)`, `[[1]](https://…)`. */
function linkedNumbers(text: string): string[] {
  return [...text.matchAll(/\[(\d+)\]{1,2}\(https?:/g)].map(([, number]) => `${Number(number)}`);
}
