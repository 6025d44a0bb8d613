// The public contracts: `import … from 'colligate/contracts'`. Each name is a zod schema and its type. Code inside the package
// imports the modules themselves.

export { SourceId, SourceQuality, SourceRecord } from './source';
export { QualityRule, QualityRules } from './run-settings';

export { BudgetLimits, ModelChoice, ModelChoices } from './run-input';
export { SynthesisSettings } from './run-settings';
export { OutageSettings } from './run';
export { ModelPrice, PriceTable } from './run-input';
export { ReportStart } from './start';

export { ArtifactRef } from './source';
export { ContentPart, ContentStart } from './run';
export { RunEventBody, type RunEvent, type RunEventType } from './event';
export { Parked, Waiting } from './run';
export { PassName, RunKind } from './run';
export { EngineName, Progress, RunId, RunOutcome, RunStatus, Usage, Warning } from './run';
export { OutlineAnswer, RunMemo, RunUsage } from './run';

export { Answer, AnswerCitation, AnswerClaim, AnswerOutcome } from './answer';
export { AnswerMessage } from './start';
export { AnswerPassage, PageRange, PassageOrigin } from './answer';
export { AnswerSettings, AnswerCitationStyle } from './run-settings';
export { AnswerStart } from './start';
export { AnswerStatistics } from './answer';
export { AnswerMetrics, AnswerTelemetry, AnswerTraceEntry } from './answer';

export { Brief, BriefCitation, BriefClaim, BriefEvidence, BriefMetadata, BriefSetAside } from './brief';
export { BriefSettings } from './run-settings';
export { BriefStart } from './start';
export { QualityCheck } from './brief';
export { GivenSource, GivenSubtopic } from './start';
export { JudgeDimension, JudgeScores } from './judgement';
export { DimensionScore, JudgedPlace, JudgedVersion, Judgement, ReportJudge } from './judgement';
export { JudgeSettings } from './run-settings';

export {
  AddSources,
  ApprovalSettings,
  MessageName,
  MessageResult,
  PlainMessage,
  SetOutline,
  SteeringAnswer,
} from './run';
export { GivenOutline } from './outline';
export { Outline, OutlineSection } from './outline';
export {
  Conflict,
  Evidence,
  Finding,
  Gap,
  LeftOutFinding,
  SectionFindings,
  ValidatedFindings,
} from './finding';
export { CataloguedSource, ReadSource, SourceCatalogue, SourcesRead } from './source';

export {
  CitationReport,
  Report,
  ReportCitation,
  ReportClaim,
  ReportConflict,
  ReportSetAside,
} from './report';
export { ClaimVerdict, Verdict, VerdictCode, VerdictCounts } from './finding';
export { CriticisedClaim, Critique, SetAsideClaim } from './finding';
export {
  AskedCritic,
  ReportProblem,
  ReportProblemKind,
  VerifiedCitation,
  VerifiedClaim,
  VerifiedEntry,
  VerifiedReport,
} from './verified-report';
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
} from './report';
