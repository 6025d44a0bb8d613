import { REPORT_PASSES, type ReportPass } from '../../contracts/report/passes';
import type { Language } from '../../contracts/run/language';
import { storedText, translated } from '../../texts/stored';
import { textsOf } from '../../texts/texts';

/** The passes of a report in their order; a pass's number is its place. */
export const PASS_NAMES = REPORT_PASSES;

/** The number of the last pass: gathering comes before the four passes of document 002, and has number 0. */
export const LAST_PASS = PASS_NAMES.length - 1;

export function passNumber(pass: ReportPass): number {
  return PASS_NAMES.indexOf(pass);
}

/** Document 002's progress messages; `sources` is how many the run has, `inFull` how many a section reads in full at most. */
export function passMessage(pass: ReportPass, counts: { sources: number; inFull: number }): string {
  switch (pass) {
    case 'gather':
      return storedText('gathering', { n: counts.sources });
    case 'overview':
      return storedText('analysing', { n: counts.sources });
    case 'deep-dive':
      return storedText('deepDiving', { n: Math.min(counts.inFull, counts.sources) });
    case 'cross-reference':
      return storedText('validating');
    case 'report':
      return storedText('generating');
  }
}

/** `Pass 2: Deep diving into top 50 sources…`. Gathering comes before the document's four passes and has no number there. */
export function passLine(
  { number, message }: { number: number; message: string },
  language?: Language,
): string {
  const told = translated(message, language);
  return number === 0 ? told : textsOf(language).run.pass(number, told);
}
