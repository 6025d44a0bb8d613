// What `import … from 'colligate'` gives: the face of the package, and so one of the few files that only name others.

export { openColligate, type OpenColligate, type OpenColligateOptions } from './app/open-colligate';
export {
  createColligateClient,
  type ColligateClient,
  type ColligateClientOptions,
} from './client/colligate-client';
export { openStores } from './stores/open-stores';
export type { Stores } from './stores/stores';
export type { ContentStatistics, ContentStore } from './stores/content-store';
export type { EventLog } from './stores/event-log';
export type { CachedResponse, ResponseCache } from './stores/response-cache';

export type { ReportRequest, StartedRun } from './client/report-request';
export type { AskedEstimate, EstimatedRun } from './client/starting/estimate-request';
export type { RunEstimate } from './contracts/run/estimate';
export type { ReadableSources, RequestedSources } from './client/requested-sources';
export type {
  AnswerHandle,
  AnswerRequest,
  Corpus,
  OpenedCorpus,
  StartedAnswer,
  WaitForAnswer,
} from './client/answer/answer-request';
export type {
  BriefHandle,
  BriefRequest,
  RequestedSubtopics,
  StartedBrief,
  WaitForBrief,
} from './client/brief/brief-request';
export type { ExportedRun } from './client/export/export-run';
export type { ExportFormatName } from './document/formats/export-formats';
export type { BriefPassResults, BriefPassWithResult } from './client/brief/pass-results/brief-pass-results';
export type {
  DescribedSchedule,
  Firing,
  Overlap,
  ScheduledRequest,
  ScheduleHandle,
  ScheduleRequest,
  ScheduleSummary,
  ScheduleTimes,
} from './client/schedules/schedule-request';
export { ScheduleExistsError, ScheduleNotFoundError } from './client/schedules/schedule-errors';
export type { SinceLast } from './contracts/run/since';
export type { Brief } from './contracts/brief/brief';
export type { BriefSettings } from './contracts/brief/brief-settings';
export type { GivenSubtopic } from './contracts/brief/subtopic';
export type { KnownCorpus } from './client/answer/known-corpus';
export type { ClosedRun, ClosedStatus, RunHandle, RunProgress, RunSummary } from './client/run-handle';
export type { PassResults, PassWithResult } from './client/pass-results/pass-results';
export { MessageRefusedError, MessageUnansweredError } from './client/steering/message-errors';
export type { MessageOptions } from './client/steering/send-message';
export type { RunSteering } from './client/steering/steer-run';
export type { GivenOutline } from './contracts/report/given-outline';
export type { ApprovalSettings, MessageResult, SteeringAnswer } from './contracts/steering/messages';
export type { RunEvent } from './contracts/run/event';
export type { RunUsage } from './contracts/run/run-messages';
export type { Answer } from './contracts/answer/answer';
export type { AnswerMessage } from './contracts/answer/message';
export type { AnswerSettings } from './contracts/answer/answer-settings';
export type { AnswerStatistics } from './contracts/answer/answer-statistics';
export { toAgentState, type AgentState } from './answers/to-agent-state';
export type { Report } from './contracts/report/report';
export type { ReportDiff } from './contracts/report/report-diff';
export { diffReports } from './diff/diff-reports';
export { annotateReport, withoutAnnotations } from './verification/report/annotate-report';
export {
  verifyReport,
  type GivenSource,
  type VerifyReportOptions,
} from './verification/report/verify-report';
export type { ClaimEvidence } from './contracts/verification/claim-evidence';
export type { VerifiedReport } from './contracts/verification/verified-report';
export {
  sectionsUnlikeReport,
  sectionTexts,
  sectionTextsAfter,
  withReportCitations,
  type SectionText,
  type SectionTexts,
} from './core/report/streamed-texts';

export {
  InvalidRequestError,
  RunClosedError,
  RunContentGoneError,
  RunDiffersError,
  RunKindError,
  UnknownClaimError,
  UnknownVersionError,
  RunNotFoundError,
  RunNotRunningError,
  RunStillRunningError,
  RunWithoutAnswerError,
  RunWithoutReportError,
} from './client/run-errors';
export { ConfigError, type ConfigProblem } from './config/config-error';
export { InvalidSourcesError } from './sources/invalid-sources-error';
export { InvalidSubtopicsError } from './sources/subtopics/invalid-subtopics-error';
export type { SourceProblem } from './sources/source-reading';
export {
  CorruptArtifactError,
  StoreAwayError,
  StoreFormatError,
  StoreOpenError,
  StoreWriteError,
} from './stores/errors';
export { NoServerError } from './temporal/no-server-error';
export { UnreachableServerError } from './temporal/unreachable-server-error';
