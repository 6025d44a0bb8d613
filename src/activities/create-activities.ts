import { forgetFormerEvents, recordEvents } from './shared/record-events';
import { judgeVersion } from './shared/judge/judge-version';
import { listArtifacts } from './shared/list-artifacts';
import { readContent } from './shared/read-content';
import { admitSources } from './shared/admit-sources';
import { postWebhook } from './shared/post-webhook';
import { askIndexes } from './shared/search/ask-indexes';
import { chooseWorks } from './shared/search/choose-works';
import { planQueries } from './shared/search/plan-queries';
import { readWorks } from './shared/search/read-works';
import { settleSearch } from './shared/search/settle-search';
import { checkOutline, planGivenOutline } from './report/overview/given-outline';
import { admitRun } from './report/admit-run';
import { assembleReport } from './report/writing/assemble-report';
import { assembleVersion } from './report/writing/assemble-version';
import { catalogueSources } from './report/gather/catalogue-sources';
import { checkGroup } from './report/cross-reference/check-group';
import { crossCheckSection } from './report/cross-reference/cross-check-section';
import { deepDiveSection } from './report/deep-dive/deep-dive-section';
import { extractGroup } from './report/deep-dive/extract-group';
import { findingsUnchecked, reconcileFindings } from './report/cross-reference/reconcile-findings';
import { mergeOutlines, planOutline, scoreSources } from './report/overview/plan-outline';
import { planChecks, settleChecks } from './report/cross-reference/plan-checks';
import { planReading } from './report/deep-dive/plan-reading';
import { rankSources, settleFindings } from './report/deep-dive/settle-findings';
import { seekSupport } from './report/cross-reference/seek-support';
import { settleOutline } from './report/overview/settle-outline';
import { summariseBatch } from './report/gather/summarise-batch';
import { takeSummaries } from './report/deep-dive/take-summaries';
import { writeSection } from './report/writing/write-section';
import { auditText } from './report/writing/audit-text';
import { mendText } from './report/writing/mend-text';
import { planText, writeText } from './report/writing/write-text';
import { writeSummary } from './report/writing/write-summary';
import { assembleBrief } from './brief/assemble-brief';
import { admitBrief } from './brief/gather/admit-brief';
import { checkSummaries } from './brief/gather/check-summaries';
import { gatherBrief, settleMaterial } from './brief/gather/gather-brief';
import { auditBrief } from './brief/writing/audit-brief';
import { mendBrief } from './brief/writing/mend-brief';
import { planBrief } from './brief/writing/plan-brief';
import { writeBrief } from './brief/writing/write-brief';
import { writeBriefPart } from './brief/writing/write-brief-part';
import { admitAnswer } from './answer/admit-answer';
import { assembleAnswer, concludeAnswer } from './answer/conclude-answer';
import { auditAnswer } from './answer/audit-answer';
import { compressContext } from './answer/compress-context';
import { indexCorpus } from './answer/index-corpus';
import { mendAnswer } from './answer/mend-answer';
import { retrievePassages } from './answer/retrieve-passages';
import { rewriteQuestion } from './answer/rewrite-question';
import { writeAnswer } from './answer/write-answer';
import { findMaterial } from './schedule/find-material';
import { keepResult } from './schedule/keep-result';
import type { ActivityPorts } from './shared/ports';
import { underTemporal } from './shared/under-temporal';

// Histories know activities by their names here.

const SHARED = {
  forgetFormerEvents,
  recordEvents,
  listArtifacts,
  readContent,
  judgeVersion,
  planQueries,
  askIndexes,
  chooseWorks,
  readWorks,
  settleSearch,
  admitSources,
  postWebhook,
};
export type SharedActivities = Bound<typeof SHARED>;

const REPORT = {
  admitRun,
  summariseBatch,
  catalogueSources,
  planOutline,
  mergeOutlines,
  scoreSources,
  settleOutline,
  deepDiveSection,
  planReading,
  extractGroup,
  settleFindings,
  takeSummaries,
  rankSources,
  /** An older name, which said less than `findingsUnchecked`. */
  keepFindings: findingsUnchecked,
  crossCheckSection,
  planChecks,
  checkGroup,
  settleChecks,
  seekSupport,
  reconcileFindings,
  planText,
  writeText,
  auditText,
  mendText,
  writeSection,
  writeSummary,
  assembleReport,
  assembleVersion,
  checkOutline,
  planGivenOutline,
};
export type ReportActivities = Bound<typeof REPORT>;

const BRIEF = {
  admitBrief,
  gatherBrief,
  checkSummaries,
  settleMaterial,
  planBrief,
  writeBrief,
  auditBrief,
  mendBrief,
  writeBriefPart,
  assembleBrief,
};
export type BriefActivities = Bound<typeof BRIEF>;

const ANSWER = {
  admitAnswer,
  indexCorpus,
  retrievePassages,
  rewriteQuestion,
  compressContext,
  writeAnswer,
  auditAnswer,
  mendAnswer,
  concludeAnswer,
  assembleAnswer,
};
export type AnswerActivities = Bound<typeof ANSWER>;

const SCHEDULE = {
  findMaterial,
  keepResult,
};
export type ScheduleActivities = Bound<typeof SCHEDULE>;

const ALL = { ...SHARED, ...REPORT, ...BRIEF, ...ANSWER, ...SCHEDULE };

type CarryOut = (ports: ActivityPorts, input: never, signal: AbortSignal) => Promise<unknown>;

type Bound<Activities extends Record<string, CarryOut>> = {
  [Name in keyof Activities]: (input: Parameters<Activities[Name]>[1]) => ReturnType<Activities[Name]>;
};

export function createActivities(ports: ActivityPorts): Bound<typeof ALL> {
  const bound = Object.entries<CarryOut>(ALL).map(([name, carryOut]) => [
    name,
    (input: never) => underTemporal(ports, (watched, signal) => carryOut(watched, input, signal)),
  ]);
  return Object.fromEntries(bound) as Bound<typeof ALL>; // under the same names
}
