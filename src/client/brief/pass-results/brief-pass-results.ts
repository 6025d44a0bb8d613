import type { BriefMaterial } from '../../../contracts/brief/brief-material';
import type { BriefPlan } from '../../../contracts/brief/brief-plan';
import type { RunEventBody } from '../../../contracts/run/event';

/** How a version was judged, as the run told it. */
export type ToldJudgement = Extract<RunEventBody, { type: 'judge' }>['payload'];

/** What each pass of a brief leaves; `write` leaves the brief itself. */
export interface BriefPassResults {
  gather: BriefMaterial;
  plan: BriefPlan;
  /** In the order of the versions, as far as they were judged by now. */
  judge: ToldJudgement[];
}

export type BriefPassWithResult = keyof BriefPassResults;

/** A pass with what it left. */
export type BriefPassResult = {
  [Pass in BriefPassWithResult]: { pass: Pass; result: BriefPassResults[Pass] };
}[BriefPassWithResult];
