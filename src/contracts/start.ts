import { z } from 'zod';
import { Critique } from './finding';
import { ApprovalSettings, EngineName, RunId, RunKind } from './run';
import { BudgetLimits, PreviousRun, RunConditions, RunEngine, RunMaterial, RunSearch } from './run-input';
import { AnswerSettings, BriefSettings, JudgeSettings, SynthesisSettings } from './run-settings';
import { ArtifactRef, InputRecord, SourceRecord } from './source';

/** Contains everything that affects the result, so that a worker's own settings do not. */
export const ReportRunInput = z.object({
  runId: RunId,
  kind: z.literal('report'),
  question: z.string(),
  ...RunMaterial.shape,
  ...RunEngine.shape,
  synthesis: SynthesisSettings,
  /** Stored quality rules; the settings then have none. There may be many, and only one activity needs them. */
  qualityRulesRef: ArtifactRef.optional(),
  /** Absent in runs of older releases; they are not judged. */
  judge: JudgeSettings.optional(),
  /** If present, the run waits for the approval of its outline. */
  approval: ApprovalSettings.optional(),
  search: RunSearch.optional(),
  ...RunConditions.shape,
});
export type ReportRunInput = z.infer<typeof ReportRunInput>;

/** The question is part of the history, the memo and prompts. */
export const MAX_QUESTION_CHARS = 4_000;

/**
 * Input of the workflow before defaults. The workflow validates it with the generated JSON Schema (`src/contracts/schemas`).
 * Accepted inputs stay accepted, because running runs replay them.
 */
export const ReportStart = ReportRunInput.extend({
  /** No effect: the run id is the workflow id. */
  runId: z.string().optional(),
  kind: z.literal('report').default('report'),
  question: z
    .string()
    .min(1)
    .max(MAX_QUESTION_CHARS)
    .regex(/\S/)
    .describe('a text of 1 to 4,000 characters that asks something'),
  /** Absent, with `sourceCount`, if `addSources` is sent together with the start and brings the first sources. */
  manifestRef: ArtifactRef.optional(),
  sourceCount: z.int().positive().optional(),
  asOf: z.string().describe('an ISO 8601 time, such as 2026-01-31T12:00:00Z').optional(),
  engine: EngineName.default('extractive'),
  /** If empty: those of the worker that starts the run. */
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

/**
 * Which sources that cannot be read are skipped, with a warning for each: all (`true`), those found in folders (`false`, the
 * default), or none (`never`).
 */
export const SkipInvalid = z.union([z.boolean(), z.literal('never')]);
export type SkipInvalid = z.infer<typeof SkipInvalid>;

export const ScheduledSources = z.object({
  finder: z.string().min(1).max(100),
  settings: z.unknown(),
  skipInvalid: SkipInvalid,
});
export type ScheduledSources = z.infer<typeof ScheduledSources>;

/** `paths` are read when a schedule fires; the stored subtopics follow. */
export const ScheduledSubtopics = z.object({
  paths: z.array(z.string()).readonly(),
  subtopicsRef: ArtifactRef.optional(),
});
export type ScheduledSubtopics = z.infer<typeof ScheduledSubtopics>;

/**
 * The input of a run without the values that are known only at its start. `stepVersions` are those of the worker that starts it.
 */
export type RunTemplate =
  | {
      kind: 'report';
      input: Omit<z.input<typeof ReportStart>, 'manifestRef' | 'sourceCount'> & OptionalSources;
    }
  | { kind: 'answer'; input: z.input<typeof AnswerStart> }
  | { kind: 'brief'; input: z.input<typeof BriefStart> };

interface OptionalSources {
  manifestRef?: ArtifactRef;
  sourceCount?: number;
}

/**
 * Input of a schedule's workflow, with references instead of texts. Schedules keep it, so later releases must accept it: fields
 * are added, and none changes its meaning. The kind of run validates the run's input separately.
 */
export const ScheduledStart = z.object({
  schedule: ScheduleName,
  /** Name of the schedule's log, and holder of its contents; no run has such a name. */
  keptAs: z
    .string()
    .max(200)
    .regex(/^schedule:/)
    .describe('a text of at most 200 characters that begins with "schedule:"'),
  run: z.object({ kind: RunKind, input: z.record(z.string(), z.unknown()) }),
  /** Null if the sources are stored. */
  sources: ScheduledSources.nullable(),
  subtopics: ScheduledSubtopics.nullable(),
  /** For lists of schedules. */
  question: z.string().min(1).max(MAX_QUESTION_CHARS),
  engine: z.string().min(1).max(100),
  owner: z.string().min(1).max(100).optional(),
});
export type ScheduledStart = z.infer<typeof ScheduledStart> & { run: RunTemplate };

export const ScheduledResult = PreviousRun;
export type ScheduledResult = z.infer<typeof ScheduledResult>;

export const FiringMemo = z.object({
  runId: RunId,
  kind: RunKind,
  status: z.enum(['finding', 'running', 'completed', 'partial', 'cancelled', 'failed']),
  problem: z.string().optional(),
});
export type FiringMemo = z.infer<typeof FiringMemo>;

/** A turn of a conversation, with the roles that callers use (document 001). */
export const AnswerMessage = z.object({
  role: z
    .enum(['human', 'user', 'ai', 'assistant', 'system', 'tool'])
    .describe('who speaks: human or user asks, ai or assistant answers'),
  content: z.string(),
});
export type AnswerMessage = z.infer<typeof AnswerMessage>;

export const MAX_OBSERVATIONS = 1_000;

/**
 * All of it is optional and may be combined. Texts become part of the history and are for callers without access to the stores;
 * the client stores them and gives references.
 */
export const AnswerMaterial = z.object({
  /** Tool observations, one text each, in the formats of document 001 or plain. */
  observations: z.array(z.string()).max(MAX_OBSERVATIONS).optional(),
  /** A stored JSON list of observations. */
  observationsRef: ArtifactRef.optional(),
  documents: z.array(InputRecord).max(1_000).optional(),
  manifestRef: ArtifactRef.optional(),
  /** Result of a research agent: context, and the reply if no answer can be written. */
  finalOutput: z.string().optional(),
  finalOutputRef: ArtifactRef.optional(),
});
export type AnswerMaterial = z.infer<typeof AnswerMaterial>;

export const AnswerRunInput = z.object({
  runId: RunId,
  kind: z.literal('answer'),
  question: z.string(),
  /** The turns before the question, oldest first. */
  history: z.array(AnswerMessage),
  /** A stored JSON list of turns before those of `history`. */
  historyRef: ArtifactRef.optional(),
  ...AnswerMaterial.shape,
  sourceCount: z.int().nonnegative(),
  critique: Critique.partial().optional(),
  /** ISO 8601; `accessedAt` of sources without one. */
  asOf: z.string(),
  ...RunEngine.shape,
  answers: AnswerSettings,
  /** An answer is judged only if this is present. */
  judge: JudgeSettings.optional(),
  search: RunSearch.optional(),
  ...RunConditions.shape,
});
export type AnswerRunInput = z.infer<typeof AnswerRunInput>;

/**
 * Input of the workflow before defaults: a question, or messages whose first human one is the question, and material. Validated
 * with the generated JSON Schema; accepted inputs stay accepted.
 */
export const AnswerStart = AnswerRunInput.extend({
  /** No effect: the request id is the workflow id. */
  runId: z.string().optional(),
  kind: z.literal('answer').default('answer'),
  question: z
    .string()
    .min(1)
    .max(MAX_QUESTION_CHARS)
    .regex(/\S/)
    .describe('a text of 1 to 4,000 characters that asks something')
    .optional(),
  /** Without `question`, the first human message is the question and the messages before it are history. */
  messages: z.array(AnswerMessage).min(1).optional(),
  history: z.array(AnswerMessage).default([]),
  sourceCount: z.int().nonnegative().default(0),
  asOf: z.string().describe('an ISO 8601 time, such as 2026-01-31T12:00:00Z').optional(),
  engine: EngineName.default('extractive'),
  /** If empty: those of the worker that starts the run. */
  stepVersions: z.record(z.string(), z.string()).default({}),
  answers: AnswerSettings.prefault({}),
  budget: BudgetLimits.prefault({}),
  searchAttributes: z.boolean().default(false),
});

/** A source that a summary cites: a URL (document 000), or also its text, against which claims are checked. */
export const GivenSource = SourceRecord.extend({ content: SourceRecord.shape.content.optional() });
export type GivenSource = z.infer<typeof GivenSource>;

/**
 * A research system's result on one subtopic. `[2]` in the summary is the second of `citations`, or without any, of `sources`;
 * links have their own URL. A source with the URL of a citation supplies its text.
 */
export const GivenSubtopic = z.object({
  title: z.string().trim().min(1).max(300),
  /** Markdown or plain text. */
  summary: z.string().refine((text) => text.trim() !== '', 'summary is empty'),
  citations: z.array(z.url()).max(10_000).optional(),
  sources: z.array(GivenSource).max(10_000).optional(),
});
export type GivenSubtopic = z.infer<typeof GivenSubtopic>;

export const MAX_SUBTOPICS = 200;

/** An artifact that the client stores as a brief's input. */
export const GivenSubtopics = z.array(GivenSubtopic).min(1).max(MAX_SUBTOPICS);
export type GivenSubtopics = z.infer<typeof GivenSubtopics>;

/**
 * Inline subtopics become part of the history and are for callers without access to the stores; the client stores them and gives
 * the reference.
 */
export const BriefMaterialInput = z.object({
  subtopics: z.array(GivenSubtopic).min(1).max(200).optional(),
  /** A stored JSON list of subtopics. */
  subtopicsRef: ArtifactRef.optional(),
});

export const BriefRunInput = z.object({
  runId: RunId,
  kind: z.literal('brief'),
  question: z.string(),
  ...BriefMaterialInput.shape,
  /** Number of different sources that the subtopics cite, if the caller has counted them; used in events. */
  sourceCount: z.int().nonnegative(),
  subtopicCount: z.int().positive().optional(),
  /** ISO 8601; `accessedAt` of sources without one. */
  asOf: z.string(),
  ...RunEngine.shape,
  brief: BriefSettings,
  judge: JudgeSettings,
  ...RunConditions.shape,
});
export type BriefRunInput = z.infer<typeof BriefRunInput>;

/**
 * Input of the workflow before defaults: a question, and subtopics or a reference to them. Validated with the generated JSON
 * Schema; accepted inputs stay accepted.
 */
export const BriefStart = BriefRunInput.extend({
  /** No effect: the run id is the workflow id. */
  runId: z.string().optional(),
  kind: z.literal('brief').default('brief'),
  question: z
    .string()
    .min(1)
    .max(MAX_QUESTION_CHARS)
    .regex(/\S/)
    .describe('a text of 1 to 4,000 characters that asks something'),
  sourceCount: z.int().nonnegative().default(0),
  asOf: z.string().describe('an ISO 8601 time, such as 2026-01-31T12:00:00Z').optional(),
  engine: EngineName.default('extractive'),
  /** If empty: those of the worker that starts the run. */
  stepVersions: z.record(z.string(), z.string()).default({}),
  brief: BriefSettings.prefault({}),
  judge: JudgeSettings.prefault({}),
  budget: BudgetLimits.prefault({}),
  searchAttributes: z.boolean().default(false),
});
