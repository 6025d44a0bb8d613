// The public API of the package: `import … from 'colligate'`.

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
export type { CachedResponse, ResponseCache } from './stores/stores';

export type { ReportRequest, StartedRun } from './client/run-requests';
export type { AskedEstimate, EstimatedRun } from './client/start-run';
export type { RunEstimate } from './contracts/run-input';
export type { ReadableSources, RequestedSources } from './client/source-input';
export type {
  AnswerHandle,
  AnswerRequest,
  Corpus,
  OpenedCorpus,
  StartedAnswer,
  WaitForAnswer,
} from './client/run-requests';
export type {
  BriefHandle,
  BriefRequest,
  RequestedSubtopics,
  StartedBrief,
  WaitForBrief,
} from './client/run-requests';
export type { ExportedRun } from './client/run-exports';
export type { ExportFormatName } from './report/document/export-formats';
export type { BriefPassResults, BriefPassWithResult } from './client/brief-passes';
export type {
  DescribedSchedule,
  Firing,
  Overlap,
  ScheduledRequest,
  ScheduleHandle,
  ScheduleRequest,
  ScheduleSummary,
  ScheduleTimes,
} from './client/run-requests';
export { ScheduleExistsError, ScheduleNotFoundError } from './client/client-errors';
export type { SinceLast } from './contracts/run-input';
export type { Brief } from './contracts/brief';
export type { BriefSettings } from './contracts/run-settings';
export type { GivenSubtopic } from './contracts/start';
export type { KnownCorpus } from './client/start-answer';
export type { ClosedRun, ClosedStatus, RunHandle, RunProgress, RunSummary } from './client/run-handle';
export type { PassResults, PassWithResult } from './client/pass-results';
export { MessageRefusedError, MessageUnansweredError } from './client/client-errors';
export type { MessageOptions } from './client/steering';
export type { RunSteering } from './client/steering';
export type { GivenOutline } from './contracts/outline';
export type { ApprovalSettings, MessageResult, SteeringAnswer } from './contracts/run';
export type { RunEvent } from './contracts/event';
export type { RunUsage } from './contracts/run';
export type { Answer } from './contracts/answer';
export type { AnswerMessage } from './contracts/start';
export type { AnswerSettings } from './contracts/run-settings';
export type { AnswerStatistics } from './contracts/answer';
export { toAgentState, type AgentState } from './report/answer-state';
export type { Report } from './contracts/report';
export type { ReportDiff } from './contracts/report';
export { diffReports } from './report/diff/diff-reports';
export { annotateReport, withoutAnnotations } from './report/annotate-report';
export { verifyReport, type GivenSource, type VerifyReportOptions } from './report/verify-report';
export type { ClaimEvidence } from './contracts/verified-report';
export type { VerifiedReport } from './contracts/verified-report';
export {
  sectionsUnlikeReport,
  sectionTexts,
  sectionTextsAfter,
  withReportCitations,
  type SectionText,
  type SectionTexts,
} from './report/citations';

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
} from './client/client-errors';
export { ConfigError, type ConfigProblem } from './app/app-errors';
export { InvalidSourcesError } from './sources/source-problems';
export { InvalidSubtopicsError } from './sources/source-problems';
export type { SourceProblem } from './sources/source-problems';
export {
  CorruptArtifactError,
  StoreAwayError,
  StoreFormatError,
  StoreOpenError,
  StoreWriteError,
} from './stores/store-errors';
export { NoServerError } from './app/app-errors';
export { UnreachableServerError } from './app/app-errors';
