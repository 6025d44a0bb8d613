import type { ActivityOf, Bind } from '../shared/under-temporal';
import { assembleBrief, type AssembleBriefInput, type AssembledBrief } from './assemble-brief';
import { admitBrief, type AdmitBriefInput, type AdmittedBrief } from './gather/admit-brief';
import { checkSummaries, type CheckedSummaries, type CheckSummariesInput } from './gather/check-summaries';
import { gatherBrief, type GatherBriefInput, type GatheredBrief } from './gather/gather-brief';
import { settleMaterial, type SettledMaterial, type SettleMaterialInput } from './gather/settle-material';
import { auditBriefPart, type AuditBriefPartInput, type AuditedPart } from './writing/audit-brief-part';
import { planBrief, type PlanBriefActivityInput, type PlannedBrief } from './writing/plan-brief';
import { tellParts, type TellPartsInput } from './writing/tell-parts';
import { writeBrief, type WriteBriefActivityInput, type WrittenBrief } from './writing/write-brief';
import {
  writeBriefPart,
  type WriteBriefPartActivityInput,
  type WrittenPart,
} from './writing/write-brief-part';

/** What is done for a brief alone, by the names that histories know. */
export interface BriefActivities {
  admitBrief: ActivityOf<AdmitBriefInput, AdmittedBrief>;
  gatherBrief: ActivityOf<GatherBriefInput, GatheredBrief>;
  checkSummaries: ActivityOf<CheckSummariesInput, CheckedSummaries>;
  settleMaterial: ActivityOf<SettleMaterialInput, SettledMaterial>;
  planBrief: ActivityOf<PlanBriefActivityInput, PlannedBrief>;
  writeBrief: ActivityOf<WriteBriefActivityInput, WrittenBrief>;
  writeBriefPart: ActivityOf<WriteBriefPartActivityInput, WrittenPart>;
  auditBriefPart: ActivityOf<AuditBriefPartInput, AuditedPart>;
  tellParts: ActivityOf<TellPartsInput, void>;
  assembleBrief: ActivityOf<AssembleBriefInput, AssembledBrief>;
}

export function briefActivities(bind: Bind): BriefActivities {
  return {
    admitBrief: bind(admitBrief),
    gatherBrief: bind(gatherBrief),
    checkSummaries: bind(checkSummaries),
    settleMaterial: bind(settleMaterial),
    planBrief: bind(planBrief),
    writeBrief: bind(writeBrief),
    writeBriefPart: bind(writeBriefPart),
    auditBriefPart: bind(auditBriefPart),
    tellParts: bind(tellParts),
    assembleBrief: bind(assembleBrief),
  };
}
