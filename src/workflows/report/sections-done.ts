import type { ReportPass } from '../../contracts/report/passes';
import type { Progress } from '../../contracts/run/run';
import { passNumber } from '../../core/run/pass-messages';

/**
 * How many sections the pass is done with, and one that is under way or was done last; null before there are any. Its title
 * is no part of a history: who asks looks it up by the id.
 */
export function sectionsDone(
  pass: ReportPass,
  sections: readonly { id: string }[],
  doneSections: readonly string[],
): Progress['section'] {
  if (passNumber(pass) < passNumber('deep-dive') || sections.length === 0) return null;
  const shown =
    sections.find(({ id }) => !doneSections.includes(id)) ??
    sections.find(({ id }) => id === doneSections.at(-1));
  return { index: doneSections.length, of: sections.length, id: shown?.id ?? '', title: '' };
}

/** The same as a Markdown list. */
export function sectionLines(sections: readonly { id: string }[], doneSections: readonly string[]): string[] {
  return [
    `  - ${doneSections.length} of ${sections.length} sections done`,
    ...sections.map(({ id }, index) => `  - ${doneSections.includes(id) ? '✓ ' : ''}Section ${index + 1}`),
  ];
}
