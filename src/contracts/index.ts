// What `import … from 'colligate/contracts'` gives: the face of the package's shapes, and so one of the few files that
// only name others. Each name is a zod schema and its type; inside, everybody imports the file that has the shape.

export { SourceId, SourceQuality, SourceRecord } from './source/source';
export { QualityRule, QualityRules } from './source/quality-rule';

export { BudgetLimits, ModelChoice, ModelChoices } from './run/run-input';
export { SynthesisSettings } from './report/synthesis-settings';
export { OutageSettings } from './run/outages';
export { ModelPrice, PriceTable } from './run/prices';
export { ReportStart } from './report/report-start';

export { ArtifactRef } from './run/artifact';
export { ContentPart, ContentStart } from './run/content';
export { RunEventBody, type RunEvent, type RunEventType } from './run/event';
export { Parked, Waiting } from './run/outages';
export { PassName, RunKind } from './kinds';
export { EngineName, Progress, RunId, RunOutcome, RunStatus, Usage, Warning } from './run/run';
export { OutlineAnswer, RunMemo, RunUsage } from './run/run-messages';

export { Answer, AnswerCitation, AnswerClaim, AnswerOutcome } from './answer/answer';
export { AnswerMessage } from './answer/message';
export { AnswerPassage, PageRange, PassageOrigin } from './answer/answer-passage';
export { AnswerSettings, AnswerCitationStyle } from './answer/answer-settings';
export { AnswerStart } from './answer/answer-start';
export { AnswerStatistics } from './answer/answer-statistics';
export { AnswerMetrics, AnswerTelemetry, AnswerTraceEntry } from './answer/answer-telemetry';

export { Brief, BriefCitation, BriefClaim, BriefEvidence, BriefMetadata, BriefSetAside } from './brief/brief';
export { BriefSettings } from './brief/brief-settings';
export { BriefStart } from './brief/brief-start';
export { QualityCheck } from './brief/quality-check';
export { GivenSource, GivenSubtopic } from './brief/subtopic';
export { JudgeDimension, JudgeScores } from './judge/dimensions';
export { DimensionScore, JudgedPlace, JudgedVersion, Judgement, ReportJudge } from './judge/judgement';
export { JudgeSettings } from './judge/rubric';

export {
  AddSources,
  ApprovalSettings,
  MessageName,
  MessageResult,
  PlainMessage,
  SetOutline,
  SteeringAnswer,
} from './steering/messages';
export { GivenOutline } from './report/given-outline';
export { Outline, OutlineSection } from './report/outline';
export {
  Conflict,
  Evidence,
  Finding,
  Gap,
  LeftOutFinding,
  SectionFindings,
  ValidatedFindings,
} from './report/finding';
export { CataloguedSource, SourceCatalogue } from './source/source';

export {
  CitationReport,
  Report,
  ReportCitation,
  ReportClaim,
  ReportConflict,
  ReportSetAside,
} from './report/report';
export { ClaimVerdict, Verdict, VerdictCode, VerdictCounts } from './verification/claim-verdict';
export { CriticisedClaim, Critique, SetAsideClaim } from './verification/critique';
export {
  AskedCritic,
  ReportProblem,
  ReportProblemKind,
  VerifiedCitation,
  VerifiedClaim,
  VerifiedEntry,
  VerifiedReport,
} from './verification/verified-report';
export {
  ChangedConflict,
  ChangedFinding,
  ConflictChange,
  DiffConflict,
  DiffFinding,
  DiffSetAside,
  DiffSource,
  FindingChange,
  ReportDiff,
} from './report/report-diff';
