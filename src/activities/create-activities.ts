import { Context } from '@temporalio/activity';
import type { ArtifactRef } from '../core/contracts/artifact';
import { asActivityFailure } from './activity-failure';
import { assembleReport, type AssembledReport, type AssembleReportInput } from './assemble-report';
import { catalogueSources, type CataloguedSources, type CatalogueSourcesInput } from './catalogue-sources';
import { checkSection, type CheckedSection, type CheckSectionInput } from './check-section';
import { checkSummary, type CheckedSummary, type CheckSummaryInput } from './check-summary';
import {
  crossCheckSection,
  type CrossCheckSectionInput,
  type CrossCheckSectionResult,
} from './cross-check-section';
import { deepDiveSection, type DeepDiveInput, type DeepDiveResult } from './deep-dive-section';
import { startHeartbeat } from './heartbeat';
import { keepFindings, type KeepFindingsInput } from './keep-findings';
import { mergeOutlines, type MergeOutlinesActivityInput } from './merge-outlines';
import { planOutline, type PlannedOutline, type PlanOutlineInput } from './plan-outline';
import type { ActivityPorts } from './ports';
import {
  reconcileFindings,
  type ReconciledFindings,
  type ReconcileFindingsInput,
} from './reconcile-findings';
import { rankSources, type RankSourcesInput } from './rank-sources';
import { recordEvents, type RecordEventsInput } from './record-events';
import { scoreSources, type ScoredSources, type ScoreSourcesInput } from './score-sources';
import { seekSupport, type SeekSupportInput, type SoughtSupport } from './seek-support';
import { settleOutline, type SettledOutline, type SettleOutlineInput } from './settle-outline';
import { summariseBatch, type SummarisedBatch, type SummariseBatchInput } from './summarise-batch';
import { takeSummaries, type TakeSummariesInput } from './take-summaries';
import { writeSection, type WriteSectionActivityInput, type WrittenSection } from './write-section';
import { writeSummary, type WriteSummaryActivityInput, type WrittenSummary } from './write-summary';

/** All activities, bound to what they need; the workflow sees these types only. */
export interface Activities {
  recordEvents: Activity<RecordEventsInput, void>;
  summariseBatch: Activity<SummariseBatchInput, SummarisedBatch>;
  catalogueSources: Activity<CatalogueSourcesInput, CataloguedSources>;
  planOutline: Activity<PlanOutlineInput, PlannedOutline>;
  mergeOutlines: Activity<MergeOutlinesActivityInput, PlannedOutline>;
  scoreSources: Activity<ScoreSourcesInput, ScoredSources>;
  settleOutline: Activity<SettleOutlineInput, SettledOutline>;
  deepDiveSection: Activity<DeepDiveInput, DeepDiveResult>;
  takeSummaries: Activity<TakeSummariesInput, { findingsRef: ArtifactRef; findings: number }>;
  rankSources: Activity<RankSourcesInput, { rankingRef: ArtifactRef }>;
  keepFindings: Activity<KeepFindingsInput, { validatedRef: ArtifactRef }>;
  crossCheckSection: Activity<CrossCheckSectionInput, CrossCheckSectionResult>;
  seekSupport: Activity<SeekSupportInput, SoughtSupport>;
  reconcileFindings: Activity<ReconcileFindingsInput, ReconciledFindings>;
  writeSection: Activity<WriteSectionActivityInput, WrittenSection>;
  checkSection: Activity<CheckSectionInput, CheckedSection>;
  checkSummary: Activity<CheckSummaryInput, CheckedSummary>;
  writeSummary: Activity<WriteSummaryActivityInput, WrittenSummary>;
  assembleReport: Activity<AssembleReportInput, AssembledReport>;
}

type Activity<Input, Result> = (input: Input) => Promise<Result>;

export function createActivities(ports: ActivityPorts): Activities {
  const activity = <Input, Result>(
    carryOut: (ports: ActivityPorts, input: Input, signal: AbortSignal) => Promise<Result>,
  ): Activity<Input, Result> => {
    return (input) => underTemporal((signal) => carryOut(ports, input, signal));
  };
  return {
    recordEvents: activity(recordEvents),
    summariseBatch: activity(summariseBatch),
    catalogueSources: activity(catalogueSources),
    planOutline: activity(planOutline),
    mergeOutlines: activity(mergeOutlines),
    scoreSources: activity(scoreSources),
    settleOutline: activity(settleOutline),
    deepDiveSection: activity(deepDiveSection),
    takeSummaries: activity(takeSummaries),
    rankSources: activity(rankSources),
    keepFindings: activity(keepFindings),
    crossCheckSection: activity(crossCheckSection),
    seekSupport: activity(seekSupport),
    reconcileFindings: activity(reconcileFindings),
    writeSection: activity(writeSection),
    checkSection: activity(checkSection),
    checkSummary: activity(checkSummary),
    writeSummary: activity(writeSummary),
    assembleReport: activity(assembleReport),
  };
}

/** Beats while the work goes on, hands it the cancellation, and tells Temporal of failures in its own terms. */
async function underTemporal<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const context = Context.current();
  const stopHeartbeat = startHeartbeat(context);
  try {
    return await work(context.cancellationSignal);
  } catch (error) {
    if (context.cancellationSignal.aborted) await context.cancelled; // rejects with the reason for the cancellation
    throw asActivityFailure(error);
  } finally {
    stopHeartbeat();
  }
}
