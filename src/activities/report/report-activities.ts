import type { ArtifactRef } from '../../contracts/run/artifact';
import type { ActivityOf, Bind } from '../shared/under-temporal';
import type { Spent } from '../shared/run-step';
import { deepDiveAdded, type DeepDiveAddedInput, type DeepDivenAdded } from './added/deep-dive-added';
import { extendOutline, type ExtendedOutline, type ExtendOutlineInput } from './added/extend-outline';
import { reconcileAdded, type ReconcileAddedInput, type ReconciledAdded } from './added/reconcile-added';
import {
  checkOutline,
  planGivenOutline,
  type CheckedOutline,
  type CheckOutlineInput,
  type PlanGivenOutlineInput,
} from './overview/given-outline';
import { admitRun, type Admission, type AdmitRunInput } from './admit-run';
import { auditSection, type AuditedSection, type AuditSectionInput } from './writing/audit-section';
import { auditSummary, type AuditedSummary, type AuditSummaryInput } from './writing/audit-summary';
import { assembleReport, type AssembledReport, type AssembleReportInput } from './writing/assemble-report';
import { assembleVersion, type AssembleVersionInput, type StoredVersion } from './writing/assemble-version';
import {
  catalogueSources,
  type CataloguedSources,
  type CatalogueSourcesInput,
} from './gather/catalogue-sources';
import { checkGroup, type CheckGroupInput } from './cross-reference/check-group';
import {
  crossCheckSection,
  type CrossCheckSectionInput,
  type CrossCheckSectionResult,
} from './cross-reference/cross-check-section';
import { deepDiveSection, type DeepDiveInput, type DeepDiveResult } from './deep-dive/deep-dive-section';
import { extractGroup, type ExtractedGroup, type ExtractGroupInput } from './deep-dive/extract-group';
import { findingsUnchecked, type FindingsUncheckedInput } from './cross-reference/findings-unchecked';
import { mergeOutlines, type MergeOutlinesActivityInput } from './overview/merge-outlines';
import { planChecks, type PlanChecksInput, type PlannedChecks } from './cross-reference/plan-checks';
import { planOutline, type PlannedOutline, type PlanOutlineInput } from './overview/plan-outline';
import { planReading, type PlannedReading, type PlanReadingInput } from './deep-dive/plan-reading';
import {
  reconcileFindings,
  type ReconciledFindings,
  type ReconcileFindingsInput,
} from './cross-reference/reconcile-findings';
import { rankSources, type RankSourcesInput } from './deep-dive/rank-sources';
import { scoreSources, type ScoredSources, type ScoreSourcesInput } from './overview/score-sources';
import { seekSupport, type SeekSupportInput, type SoughtSupport } from './cross-reference/seek-support';
import { settleChecks, type SettleChecksInput, type SettledChecks } from './cross-reference/settle-checks';
import { settleFindings, type SettledFindings, type SettleFindingsInput } from './deep-dive/settle-findings';
import { settleOutline, type SettledOutline, type SettleOutlineInput } from './overview/settle-outline';
import { summariseBatch, type SummarisedBatch, type SummariseBatchInput } from './gather/summarise-batch';
import { takeSummaries, type TakeSummariesInput } from './deep-dive/take-summaries';
import { writeSection, type WriteSectionActivityInput, type WrittenSection } from './writing/write-section';
import { writeSummary, type WriteSummaryActivityInput, type WrittenSummary } from './writing/write-summary';

/** What is done for a report alone, by the names that histories know. */
export interface ReportActivities {
  admitRun: ActivityOf<AdmitRunInput, Admission>;
  summariseBatch: ActivityOf<SummariseBatchInput, SummarisedBatch>;
  catalogueSources: ActivityOf<CatalogueSourcesInput, CataloguedSources>;
  planOutline: ActivityOf<PlanOutlineInput, PlannedOutline>;
  mergeOutlines: ActivityOf<MergeOutlinesActivityInput, PlannedOutline>;
  scoreSources: ActivityOf<ScoreSourcesInput, ScoredSources>;
  settleOutline: ActivityOf<SettleOutlineInput, SettledOutline>;
  deepDiveSection: ActivityOf<DeepDiveInput, DeepDiveResult>;
  planReading: ActivityOf<PlanReadingInput, PlannedReading>;
  extractGroup: ActivityOf<ExtractGroupInput, ExtractedGroup>;
  settleFindings: ActivityOf<SettleFindingsInput, SettledFindings>;
  takeSummaries: ActivityOf<TakeSummariesInput, { findingsRef: ArtifactRef; findings: number }>;
  rankSources: ActivityOf<RankSourcesInput, { rankingRef: ArtifactRef }>;
  /** An older name, which said less than `findingsUnchecked`. */
  keepFindings: ActivityOf<FindingsUncheckedInput, { validatedRef: ArtifactRef }>;
  crossCheckSection: ActivityOf<CrossCheckSectionInput, CrossCheckSectionResult>;
  planChecks: ActivityOf<PlanChecksInput, PlannedChecks>;
  checkGroup: ActivityOf<CheckGroupInput, { checksRef: ArtifactRef } & Spent>;
  settleChecks: ActivityOf<SettleChecksInput, SettledChecks>;
  seekSupport: ActivityOf<SeekSupportInput, SoughtSupport>;
  reconcileFindings: ActivityOf<ReconcileFindingsInput, ReconciledFindings>;
  writeSection: ActivityOf<WriteSectionActivityInput, WrittenSection>;
  auditSection: ActivityOf<AuditSectionInput, AuditedSection>;
  auditSummary: ActivityOf<AuditSummaryInput, AuditedSummary>;
  writeSummary: ActivityOf<WriteSummaryActivityInput, WrittenSummary>;
  assembleReport: ActivityOf<AssembleReportInput, AssembledReport>;
  assembleVersion: ActivityOf<AssembleVersionInput, StoredVersion>;
  checkOutline: ActivityOf<CheckOutlineInput, CheckedOutline>;
  planGivenOutline: ActivityOf<PlanGivenOutlineInput, { planRef: ArtifactRef; sections: number }>;
  extendOutline: ActivityOf<ExtendOutlineInput, ExtendedOutline>;
  deepDiveAdded: ActivityOf<DeepDiveAddedInput, DeepDivenAdded>;
  reconcileAdded: ActivityOf<ReconcileAddedInput, ReconciledAdded>;
}

export function reportActivities(bind: Bind): ReportActivities {
  return {
    admitRun: bind(admitRun),
    summariseBatch: bind(summariseBatch),
    catalogueSources: bind(catalogueSources),
    planOutline: bind(planOutline),
    mergeOutlines: bind(mergeOutlines),
    scoreSources: bind(scoreSources),
    settleOutline: bind(settleOutline),
    deepDiveSection: bind(deepDiveSection),
    planReading: bind(planReading),
    extractGroup: bind(extractGroup),
    settleFindings: bind(settleFindings),
    takeSummaries: bind(takeSummaries),
    rankSources: bind(rankSources),
    keepFindings: bind(findingsUnchecked),
    crossCheckSection: bind(crossCheckSection),
    planChecks: bind(planChecks),
    checkGroup: bind(checkGroup),
    settleChecks: bind(settleChecks),
    seekSupport: bind(seekSupport),
    reconcileFindings: bind(reconcileFindings),
    writeSection: bind(writeSection),
    auditSection: bind(auditSection),
    auditSummary: bind(auditSummary),
    writeSummary: bind(writeSummary),
    assembleReport: bind(assembleReport),
    assembleVersion: bind(assembleVersion),
    checkOutline: bind(checkOutline),
    planGivenOutline: bind(planGivenOutline),
    extendOutline: bind(extendOutline),
    deepDiveAdded: bind(deepDiveAdded),
    reconcileAdded: bind(reconcileAdded),
  };
}
