import { runTexts } from '../../texts/run';
import { REPORT_PASSES, type ReportPass } from '../../contracts/report/passes';

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
      return counts.sources === 1
        ? `Gathering ${counts.sources} source…`
        : `Gathering ${counts.sources} sources…`;
    case 'overview':
      return counts.sources === 1
        ? `Analyzing themes across ${counts.sources} source…`
        : `Analyzing themes across ${counts.sources} sources…`;
    case 'deep-dive':
      return Math.min(counts.inFull, counts.sources) === 1
        ? `Deep diving into top ${Math.min(counts.inFull, counts.sources)} source…`
        : `Deep diving into top ${Math.min(counts.inFull, counts.sources)} sources…`;
    case 'cross-reference':
      return 'Validating findings and checking for conflicts…';
    case 'report':
      return 'Generating comprehensive report…';
  }
}

/** `Pass 2: Deep diving into top 50 sources…`. Gathering comes before the document's four passes and has no number there. */
export function passLine({ number, message }: { number: number; message: string }): string {
  const told = message;
  return number === 0 ? told : runTexts.pass(number, told);
}
