import { z } from 'zod';
import { Critique } from './finding';
import { ApprovalSettings, EngineName, RunId, RunKind } from './run';
import { BudgetLimits, RunBefore, RunConditions, RunEngine, RunMaterial, RunSearch } from './run-input';
import { AnswerSettings, BriefSettings, JudgeSettings, SynthesisSettings } from './run-settings';
import { ArtifactRef, GivenRecord, SourceRecord } from './source';

/** The workflow's input. Everything that affects the result is in it, so that a worker's own settings do not. */
export const ReportRunInput = z.object({
  runId: RunId,
  kind: z.literal('report'),
  question: z.string(),
  ...RunMaterial.shape,
  ...RunEngine.shape,
  synthesis: SynthesisSettings,
  /** Where the rules on quality are, if the settings have none: there may be many, and one activity alone needs them. */
  qualityRulesRef: ArtifactRef.optional(),
  /** Absent in runs from before it was a part of the input; they are not judged. */
  judge: JudgeSettings.optional(),
  /** Where it is present, the run waits for somebody to approve of its outline. */
  approval: ApprovalSettings.optional(),
  /** Where the run looks for sources itself; absent where all are given. */
  search: RunSearch.optional(),
  ...RunConditions.shape,
});
export type ReportRunInput = z.infer<typeof ReportRunInput>;

/** A question goes into the history, the memo and prompts. */
export const MAX_QUESTION_CHARS = 4_000;

/**
 * What anybody starts the workflow with: the input of a run before its defaults are filled in. The workflow checks it by
 * the JSON Schema that is made of this (`src/contracts/schemas`); what was once taken is taken for ever, because runs that are
 * under way replay it. A description says what is allowed.
 */
export const ReportStart = ReportRunInput.extend({
  /** Of no effect: a run's id is its workflow id. */
  runId: z.string().optional(),
  kind: z.literal('report').default('report'),
  question: z
    .string()
    .min(1)
    .max(MAX_QUESTION_CHARS)
    .regex(/\S/)
    .describe('a text of 1 to 4,000 characters that asks something'),
  /** Absent, with `sourceCount`, where the message `addSources` comes with the start, in one call: those are the first sources. */
  manifestRef: ArtifactRef.optional(),
  sourceCount: z.int().positive().optional(),
  /** The time of the start where it is absent. */
  asOf: z.string().describe('an ISO 8601 time, such as 2026-01-31T12:00:00Z').optional(),
  engine: EngineName.default('extractive'),
  /** Those of the worker that takes the run up where it is empty. */
  stepVersions: z.record(z.string(), z.string()).default({}),
  synthesis: SynthesisSettings.prefault({}),
  judge: JudgeSettings.prefault({}),
  budget: BudgetLimits.prefault({}),
  searchAttributes: z.boolean().default(false),
});

export const ScheduleName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/)
  .describe('1 to 100 letters, digits, dots, dashes and underscores, the first of them a letter or a digit');

export const FoundSources = z.object({
  finder: z.string().min(1).max(100),
  settings: z.unknown(),
  /** Goes on without bad records, with a warning for each. */
  skipInvalid: z.boolean(),
});
export type FoundSources = z.infer<typeof FoundSources>;

/** Subtopics that are read when a schedule fires, behind those that are stored. */
export const FoundSubtopics = z.object({
  paths: z.array(z.string()).readonly(),
  subtopicsRef: ArtifactRef.optional(),
});
export type FoundSubtopics = z.infer<typeof FoundSubtopics>;

/** The input of a run but for what is only known when it starts; `stepVersions` are those of the worker that takes it up. */
export type RunTemplate =
  | { kind: 'report'; input: Omit<z.input<typeof ReportStart>, 'manifestRef' | 'sourceCount'> & MaybeSources }
  | { kind: 'answer'; input: z.input<typeof AnswerStart> }
  | { kind: 'brief'; input: z.input<typeof BriefStart> };

interface MaybeSources {
  manifestRef?: ArtifactRef;
  sourceCount?: number;
}

/**
 * What a schedule starts its workflow with. It lies in the schedule for as long as that stands, so that a later release has to take
 * what an earlier one has put there: fields are added, and none changes its meaning. References, no texts. The input of the run
 * is checked by what its kind takes, besides.
 */
export const ScheduledStart = z.object({
  schedule: ScheduleName,
  /** Under what name the schedule's own log and contents are kept; no run has such a name. */
  keptAs: z
    .string()
    .max(200)
    .regex(/^schedule:/)
    .describe('a text of at most 200 characters that begins with "schedule:"'),
  run: z.object({ kind: RunKind, input: z.record(z.string(), z.unknown()) }),
  /** Null where the sources are stored. */
  sources: FoundSources.nullable(),
  subtopics: FoundSubtopics.nullable(),
  /** Of a run, for lists: its question, and what is known of it. */
  question: z.string().min(1).max(MAX_QUESTION_CHARS),
  engine: z.string().min(1).max(100),
  owner: z.string().min(1).max(100).optional(),
});
export type ScheduledStart = z.infer<typeof ScheduledStart> & { run: RunTemplate };

export const ScheduledResult = RunBefore;
export type ScheduledResult = z.infer<typeof ScheduledResult>;

export const FiringMemo = z.object({
  runId: RunId,
  kind: RunKind,
  status: z.enum(['finding', 'running', 'completed', 'partial', 'cancelled', 'failed']),
  problem: z.string().optional(),
});
export type FiringMemo = z.infer<typeof FiringMemo>;

/** A turn of a conversation, as those who call us name its speakers (document 001). */
export const AnswerMessage = z.object({
  role: z
    .enum(['human', 'user', 'ai', 'assistant', 'system', 'tool'])
    .describe('who speaks: human or user asks, ai or assistant answers'),
  content: z.string(),
});
export type AnswerMessage = z.infer<typeof AnswerMessage>;

export const MAX_OBSERVATIONS = 1_000;

/**
 * What an answer may rest on; any of it, together. Texts that the caller gives itself go into the history, and are for
 * callers without our stores: the client stores them and gives references.
 */
export const AnswerMaterial = z.object({
  /** What tools observed, one text each, in the forms of document 001 or plain. */
  observations: z.array(z.string()).max(MAX_OBSERVATIONS).optional(),
  /** A JSON list of such texts. */
  observationsRef: ArtifactRef.optional(),
  documents: z.array(GivenRecord).max(1_000).optional(),
  manifestRef: ArtifactRef.optional(),
  /** What a research agent came to: context, and the reply where no answer can be written. */
  finalOutput: z.string().optional(),
  finalOutputRef: ArtifactRef.optional(),
});
export type AnswerMaterial = z.infer<typeof AnswerMaterial>;

/** The workflow's input. Everything that affects the answer is in it. */
export const AnswerRunInput = z.object({
  runId: RunId,
  kind: z.literal('answer'),
  question: z.string(),
  /** The turns before the question, oldest first. */
  history: z.array(AnswerMessage),
  /** A JSON list of such turns, which stand before those. */
  historyRef: ArtifactRef.optional(),
  ...AnswerMaterial.shape,
  sourceCount: z.int().nonnegative(),
  critique: Critique.partial().optional(),
  /** `accessedAt` of sources whose record has none; an ISO 8601 time. */
  asOf: z.string(),
  ...RunEngine.shape,
  answers: AnswerSettings,
  /** An answer is judged where that is asked for. */
  judge: JudgeSettings.optional(),
  /** Where the run looks for sources itself; absent where all are given. */
  search: RunSearch.optional(),
  ...RunConditions.shape,
});
export type AnswerRunInput = z.infer<typeof AnswerRunInput>;

/**
 * What anybody starts the workflow with: a question, or messages whose first human one it is, and any of what it may rest
 * on. The workflow checks it by the JSON Schema that is made of this; what was once taken is taken for ever.
 */
export const AnswerStart = AnswerRunInput.extend({
  /** Of no effect: a request's id is its workflow id. */
  runId: z.string().optional(),
  kind: z.literal('answer').default('answer'),
  question: z
    .string()
    .min(1)
    .max(MAX_QUESTION_CHARS)
    .regex(/\S/)
    .describe('a text of 1 to 4,000 characters that asks something')
    .optional(),
  /** The first human message is the question where none is given; what stands before it is history. */
  messages: z.array(AnswerMessage).min(1).optional(),
  history: z.array(AnswerMessage).default([]),
  sourceCount: z.int().nonnegative().default(0),
  /** The time of the start where it is absent. */
  asOf: z.string().describe('an ISO 8601 time, such as 2026-01-31T12:00:00Z').optional(),
  engine: EngineName.default('extractive'),
  /** Those of the worker that takes the run up where it is empty. */
  stepVersions: z.record(z.string(), z.string()).default({}),
  answers: AnswerSettings.prefault({}),
  budget: BudgetLimits.prefault({}),
  searchAttributes: z.boolean().default(false),
});

/** A source that a summary cites: an address alone, as document 000 has it, or with its text, against which claims are checked. */
export const GivenSource = SourceRecord.extend({ content: SourceRecord.shape.content.optional() });
export type GivenSource = z.infer<typeof GivenSource>;

/**
 * What a research system came to on one subtopic. A number `[2]` in the summary names the second of `citations`, where there are
 * any, else of `sources`; links name their address. A source whose address is one of the citations' says what stands there.
 */
export const GivenSubtopic = z.object({
  title: z.string().trim().min(1).max(300),
  /** Markdown or plain text. */
  summary: z.string().refine((text) => text.trim() !== '', 'summary is empty'),
  citations: z.array(z.url()).max(10_000).optional(),
  sources: z.array(GivenSource).max(10_000).optional(),
});
export type GivenSubtopic = z.infer<typeof GivenSubtopic>;

export const MOST_SUBTOPICS = 200;

/** An artifact: what the client stores of a brief's input. */
export const GivenSubtopics = z.array(GivenSubtopic).min(1).max(MOST_SUBTOPICS);
export type GivenSubtopics = z.infer<typeof GivenSubtopics>;

/**
 * What a brief is made of. Subtopics that the caller gives itself go into the history, and are for callers without our stores:
 * the client stores them and gives the reference.
 */
export const BriefMaterialInput = z.object({
  subtopics: z.array(GivenSubtopic).min(1).max(200).optional(),
  /** A stored JSON list of such. */
  subtopicsRef: ArtifactRef.optional(),
});

/** The workflow's input. Everything that affects the result is in it. */
export const BriefRunInput = z.object({
  runId: RunId,
  kind: z.literal('brief'),
  question: z.string(),
  ...BriefMaterialInput.shape,
  /** How many different sources the subtopics cite, where the caller has counted them; events tell it. */
  sourceCount: z.int().nonnegative(),
  subtopicCount: z.int().positive().optional(),
  /** `accessedAt` of sources that have none; an ISO 8601 time. */
  asOf: z.string(),
  ...RunEngine.shape,
  brief: BriefSettings,
  judge: JudgeSettings,
  ...RunConditions.shape,
});
export type BriefRunInput = z.infer<typeof BriefRunInput>;

/**
 * What anybody starts the workflow with: a question, and the subtopics or where they are stored. The workflow checks it by the
 * JSON Schema that is made of this; what was once taken is taken for ever.
 */
export const BriefStart = BriefRunInput.extend({
  /** Of no effect: a run's id is its workflow id. */
  runId: z.string().optional(),
  kind: z.literal('brief').default('brief'),
  question: z
    .string()
    .min(1)
    .max(MAX_QUESTION_CHARS)
    .regex(/\S/)
    .describe('a text of 1 to 4,000 characters that asks something'),
  sourceCount: z.int().nonnegative().default(0),
  /** The time of the start where it is absent. */
  asOf: z.string().describe('an ISO 8601 time, such as 2026-01-31T12:00:00Z').optional(),
  engine: EngineName.default('extractive'),
  /** Those of the worker that takes the run up where it is empty. */
  stepVersions: z.record(z.string(), z.string()).default({}),
  brief: BriefSettings.prefault({}),
  judge: JudgeSettings.prefault({}),
  budget: BudgetLimits.prefault({}),
  searchAttributes: z.boolean().default(false),
});
