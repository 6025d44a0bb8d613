import { Context } from '@temporalio/activity';
import type { ArtifactRef } from '../contracts/run/artifact';
import { asActivityCancellation, asActivityFailure } from './shared/activity-failure';
import { admitRun, type Admission, type AdmitRunInput } from './report/admit-run';
import {
  assembleReport,
  type AssembledReport,
  type AssembleReportInput,
} from './report/writing/assemble-report';
import {
  catalogueSources,
  type CataloguedSources,
  type CatalogueSourcesInput,
} from './report/gather/catalogue-sources';
import { checkGroup, type CheckGroupInput } from './report/cross-reference/check-group';
import { checkSection, type CheckedSection, type CheckSectionInput } from './report/writing/check-section';
import { checkSummary, type CheckedSummary, type CheckSummaryInput } from './report/writing/check-summary';
import {
  crossCheckSection,
  type CrossCheckSectionInput,
  type CrossCheckSectionResult,
} from './report/cross-reference/cross-check-section';
import {
  deepDiveSection,
  type DeepDiveInput,
  type DeepDiveResult,
} from './report/deep-dive/deep-dive-section';
import { extractGroup, type ExtractedGroup, type ExtractGroupInput } from './report/deep-dive/extract-group';
import { forgetFormerEvents, type FormerEvents } from './shared/forget-former-events';
import { startHeartbeat } from './shared/heartbeat';
import { keepFindings, type KeepFindingsInput } from './report/cross-reference/keep-findings';
import { listArtifacts, type ListArtifactsInput } from './shared/list-artifacts';
import { mergeOutlines, type MergeOutlinesActivityInput } from './report/overview/merge-outlines';
import { planChecks, type PlanChecksInput, type PlannedChecks } from './report/cross-reference/plan-checks';
import { planOutline, type PlannedOutline, type PlanOutlineInput } from './report/overview/plan-outline';
import { planReading, type PlannedReading, type PlanReadingInput } from './report/deep-dive/plan-reading';
import type { ActivityPorts } from './shared/ports';
import { createPulse, type Pulse } from './shared/pulse';
import {
  reconcileFindings,
  type ReconciledFindings,
  type ReconcileFindingsInput,
} from './report/cross-reference/reconcile-findings';
import { rankSources, type RankSourcesInput } from './report/deep-dive/rank-sources';
import { recordEvents, type RecordEventsInput } from './shared/record-events';
import { scoreSources, type ScoredSources, type ScoreSourcesInput } from './report/overview/score-sources';
import {
  seekSupport,
  type SeekSupportInput,
  type SoughtSupport,
} from './report/cross-reference/seek-support';
import {
  settleChecks,
  type SettleChecksInput,
  type SettledChecks,
} from './report/cross-reference/settle-checks';
import {
  settleFindings,
  type SettledFindings,
  type SettleFindingsInput,
} from './report/deep-dive/settle-findings';
import {
  settleOutline,
  type SettledOutline,
  type SettleOutlineInput,
} from './report/overview/settle-outline';
import type { Spent } from './shared/run-step';
import {
  summariseBatch,
  type SummarisedBatch,
  type SummariseBatchInput,
} from './report/gather/summarise-batch';
import { takeSummaries, type TakeSummariesInput } from './report/deep-dive/take-summaries';
import { watchedPorts } from './shared/watched-ports';
import {
  writeSection,
  type WriteSectionActivityInput,
  type WrittenSection,
} from './report/writing/write-section';
import {
  writeSummary,
  type WriteSummaryActivityInput,
  type WrittenSummary,
} from './report/writing/write-summary';

/** All activities, bound to what they need; the workflow sees these types only. */
export interface Activities {
  admitRun: Activity<AdmitRunInput, Admission>;
  forgetFormerEvents: Activity<FormerEvents, void>;
  recordEvents: Activity<RecordEventsInput, void>;
  summariseBatch: Activity<SummariseBatchInput, SummarisedBatch>;
  listArtifacts: Activity<ListArtifactsInput, { listRef: ArtifactRef }>;
  catalogueSources: Activity<CatalogueSourcesInput, CataloguedSources>;
  planOutline: Activity<PlanOutlineInput, PlannedOutline>;
  mergeOutlines: Activity<MergeOutlinesActivityInput, PlannedOutline>;
  scoreSources: Activity<ScoreSourcesInput, ScoredSources>;
  settleOutline: Activity<SettleOutlineInput, SettledOutline>;
  deepDiveSection: Activity<DeepDiveInput, DeepDiveResult>;
  planReading: Activity<PlanReadingInput, PlannedReading>;
  extractGroup: Activity<ExtractGroupInput, ExtractedGroup>;
  settleFindings: Activity<SettleFindingsInput, SettledFindings>;
  takeSummaries: Activity<TakeSummariesInput, { findingsRef: ArtifactRef; findings: number }>;
  rankSources: Activity<RankSourcesInput, { rankingRef: ArtifactRef }>;
  keepFindings: Activity<KeepFindingsInput, { validatedRef: ArtifactRef }>;
  crossCheckSection: Activity<CrossCheckSectionInput, CrossCheckSectionResult>;
  planChecks: Activity<PlanChecksInput, PlannedChecks>;
  checkGroup: Activity<CheckGroupInput, { checksRef: ArtifactRef } & Spent>;
  settleChecks: Activity<SettleChecksInput, SettledChecks>;
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
    return (input) => underTemporal((signal, pulse) => carryOut(watchedPorts(ports, pulse), input, signal));
  };
  return {
    admitRun: activity(admitRun),
    forgetFormerEvents: activity(forgetFormerEvents),
    recordEvents: activity(recordEvents),
    summariseBatch: activity(summariseBatch),
    listArtifacts: activity(listArtifacts),
    catalogueSources: activity(catalogueSources),
    planOutline: activity(planOutline),
    mergeOutlines: activity(mergeOutlines),
    scoreSources: activity(scoreSources),
    settleOutline: activity(settleOutline),
    deepDiveSection: activity(deepDiveSection),
    planReading: activity(planReading),
    extractGroup: activity(extractGroup),
    settleFindings: activity(settleFindings),
    takeSummaries: activity(takeSummaries),
    rankSources: activity(rankSources),
    keepFindings: activity(keepFindings),
    crossCheckSection: activity(crossCheckSection),
    planChecks: activity(planChecks),
    checkGroup: activity(checkGroup),
    settleChecks: activity(settleChecks),
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
async function underTemporal<Result>(
  work: (signal: AbortSignal, pulse: Pulse) => Promise<Result>,
): Promise<Result> {
  const context = Context.current();
  const pulse = createPulse();
  const stopHeartbeat = startHeartbeat(context, pulse);
  try {
    return await work(context.cancellationSignal, pulse);
  } catch (error) {
    if (context.cancellationSignal.aborted) {
      // It rejects with the reason for the cancellation.
      await context.cancelled.catch((reason: unknown) => {
        throw asActivityCancellation(reason, error);
      });
    }
    throw asActivityFailure(error);
  } finally {
    stopHeartbeat();
  }
}
