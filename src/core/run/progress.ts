import type { PassName } from '../../contracts/kinds';
import type { ReportPass } from '../../contracts/report/passes';
import { PASS_NAMES } from './pass-messages';
import { shareDone } from './share-done';

/** How much of a run's time each pass takes, roughly; together 100. */
const SHARE: Record<ReportPass, number> = {
  gather: 15,
  overview: 10,
  'deep-dive': 35,
  'cross-reference': 20,
  report: 20,
};

/**
 * How far a report is, 0–100: the passes before `pass`, and `done` of the `of` parts of `pass`. 0 for a pass that is none of
 * a report's.
 */
export function percentDone(pass: PassName, parts: { done: number; of: number }): number {
  const known = PASS_NAMES.find((name) => name === pass);
  if (known === undefined) return 0;
  return shareDone(PASS_NAMES, SHARE, known, parts);
}
