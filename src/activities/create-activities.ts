import { runActivity } from './activity-runtime';
import { admitAnswer } from './admit-answer';
import { admitBrief, admitRun, admitSources } from './admit-run';
import { listArtifacts, readContent } from './artifacts';
import { auditAnswer } from './audit-answer';
import { assembleBrief } from './brief-versions';
import { catalogueSources } from './catalogue-sources';
import { assembleAnswer, concludeAnswer } from './conclude-answer';
import { crossCheckSection, findingsUnchecked, reconcileFindings, seekSupport } from './cross-check-section';
import { deepDiveSection, planReading, takeSummaries } from './deep-dive';
import { checkSummaries, gatherBrief, settleMaterial } from './gather-brief';
import { judgeVersion } from './judge-and-mend';
import { planBrief } from './plan-brief';
import { checkGroup, planChecks, settleChecks } from './plan-checks';
import {
  checkOutline,
  mergeOutlines,
  planGivenOutline,
  planOutline,
  scoreSources,
  settleOutline,
} from './plan-outline';
import type { ActivityPorts } from './ports';
import { forgetFormerEvents, postWebhook, recordEvents } from './publish-events';
import { assembleReport, assembleVersion } from './report-versions';
import { indexCorpus, retrievePassages } from './retrieve-passages';
import { findMaterial, keepResult } from './scheduled-runs';
import { askIndexes, planQueries } from './search-indexes';
import { chooseWorks, readWorks, settleSearch } from './search-results';
import { extractGroup, rankSources, settleFindings } from './section-findings';
import { summariseBatch } from './summarise-sources';
import { compressContext, mendAnswer, rewriteQuestion, writeAnswer } from './write-answer';
import { auditBrief, mendBrief, writeBrief, writeBriefPart } from './write-brief';
import { auditText, mendText, planText, writeText } from './write-report';
import { writeSection, writeSummary } from './write-section';

// Workflow histories refer to activities by these names.

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
export type SharedActivities = BoundActivities<typeof SHARED>;

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
  /** Histories know `findingsUnchecked` by its earlier name. */
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
export type ReportActivities = BoundActivities<typeof REPORT>;

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
export type BriefActivities = BoundActivities<typeof BRIEF>;

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
export type AnswerActivities = BoundActivities<typeof ANSWER>;

const SCHEDULE = {
  findMaterial,
  keepResult,
};
export type ScheduleActivities = BoundActivities<typeof SCHEDULE>;

const ALL = { ...SHARED, ...REPORT, ...BRIEF, ...ANSWER, ...SCHEDULE };

type ActivityFunction = (ports: ActivityPorts, input: never, signal: AbortSignal) => Promise<unknown>;

type BoundActivities<Activities extends Record<string, ActivityFunction>> = {
  [Name in keyof Activities]: (input: Parameters<Activities[Name]>[1]) => ReturnType<Activities[Name]>;
};

export function createActivities(ports: ActivityPorts): BoundActivities<typeof ALL> {
  const bound = Object.entries<ActivityFunction>(ALL).map(([name, carryOut]) => [
    name,
    (input: never) => runActivity(ports, (watched, signal) => carryOut(watched, input, signal)),
  ]);
  return Object.fromEntries(bound) as BoundActivities<typeof ALL>; // under the same names
}
