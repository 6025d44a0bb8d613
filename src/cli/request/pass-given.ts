import { InvalidArgumentError } from 'commander';
import type { BriefPassWithResult } from '../../client/brief/pass-results/brief-pass-results';
import type { PassWithResult } from '../../client/pass-results/pass-results';
import { REPORT_PASSES } from '../../contracts/report/passes';

/** A pass as it was named; kinds of runs have passes of their own, and may share a name. */
export interface GivenPass {
  ofReport: PassWithResult | null;
  ofBrief: BriefPassWithResult | null;
}

const OF_BRIEF: readonly BriefPassWithResult[] = ['gather', 'plan', 'judge'];

export function passGiven(text: string): GivenPass {
  const ofBrief = OF_BRIEF.find((name) => name === text) ?? null;
  const ofReport = passWithResult(text);
  if (ofReport === null && ofBrief === null)
    throw new InvalidArgumentError(
      'Of a report it has to be 1, 2 or 3, or 0 for the sources gathered; of a brief gather, plan or judge. The last pass leaves the report or brief: leave out --pass.',
    );
  return { ofReport, ofBrief };
}

/** A pass that leaves something other than the report, by its number. */
function passWithResult(number: string): PassWithResult | null {
  const name = /^\d$/.test(number) ? REPORT_PASSES[Number(number)] : undefined;
  return name === undefined || name === 'report' ? null : name;
}
