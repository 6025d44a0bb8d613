import type { BriefMaterial } from '../../../contracts/brief/brief-material';
import type { BriefPlan } from '../../../contracts/brief/brief-plan';
import type { RunEventBody } from '../../../contracts/run/event';

export type ToldJudgement = Extract<RunEventBody, { type: 'judge' }>['payload'];

export interface BriefPassResults {
  gather: BriefMaterial;
  plan: BriefPlan;
  /** In the order of the versions, as far as they were judged by now. */
  judge: ToldJudgement[];
}

export type BriefPassWithResult = keyof BriefPassResults;

export type BriefPassResult = {
  [Pass in BriefPassWithResult]: { pass: Pass; result: BriefPassResults[Pass] };
}[BriefPassWithResult];
