import { z } from 'zod';
import { ArtifactRef } from './artifact';
import { engineNames } from './engines';
import { OutageSettings, Parked, Waiting } from './outages';
import { ModelPrice } from './prices';
import { QualityRules } from '../source/quality-rule';

export const RunKind = z.enum(['report', 'brief', 'answer']);
export type RunKind = z.infer<typeof RunKind>;

export const RunStatus = z.enum([
  'queued',
  'running',
  'waiting',
  'pausing',
  'paused',
  'awaiting-approval',
  'cancelling',
  'completed',
  'partial',
  'cancelled',
  'failed',
]);
export type RunStatus = z.infer<typeof RunStatus>;

/** A run's id is its workflow id, whoever chose it: anything that the server takes for one. */
export const RunId = z
  .string()
  .min(1, 'an id has at least one character')
  .max(1_000, 'an id has at most 1,000 characters');
export type RunId = z.infer<typeof RunId>;

export const EngineName = z.enum(engineNames);
export type EngineName = z.infer<typeof EngineName>;

/**
 * Document 002's `SYNTHESIS_CONFIG`, in camel case; characters are UTF-16 units. What a run is started with holds for it to
 * its end.
 */
export const SynthesisSettings = z.object({
  /** False: one pass over an excerpt of each source, as before document 002; no outline, no cross-check. */
  enableMultiPass: z.boolean().default(true),
  /** How many summaries pass 1 reads, those nearest to the question first; −1 for all. */
  pass1SummaryCount: z
    .union([z.literal(-1), z.int().min(1).max(100_000)])
    .describe('-1 for all, or a whole number of at least 1')
    .default(-1),
  /** How many sources a section reads in full. */
  pass2FullContentCount: z.int().min(1).max(100).default(50),
  /** How many further sources findings are checked against. */
  pass3CrossRefCount: z.int().min(0).max(100).default(30),
  maxTotalChars: z.int().min(10_000).max(4_000_000).default(400_000),
  maxCharsPerSource: z.int().min(1_000).max(200_000).default(30_000),
  minCharsPerSource: z.int().min(500).max(100_000).default(5_000),
  minCitationsPerSection: z.int().min(1).max(50).default(3),
  minTotalCitations: z.int().min(1).max(1_000).default(50),
  /** Words that the report aims at; it holds where there is material for them. */
  targetReportLength: z.int().min(300).max(50_000).default(7_500),
  /** False: findings are not held against further sources, and keep the confidence of pass 2. */
  enableCrossReference: z.boolean().default(true),
  /** False: numbers are not checked by themselves; findings below 0.8 still are. */
  enableFactChecking: z.boolean().default(true),
  /** False: nothing is told of where sources disagree, and no finding loses confidence for it. */
  enableConflictDetection: z.boolean().default(true),
  /** Findings from this confidence on are the major ones: what opens the report and what is assessed at its end. */
  confidenceThreshold: z.number().min(0).max(1).default(0.7),
  /** The endpoint's name of the model for pass 1; null for the fast model. */
  overviewModel: z.string().trim().min(1).nullable().default(null),
  /** The endpoint's name of the model for passes 2 to 4; null for the strong model. */
  deepdiveModel: z.string().trim().min(1).nullable().default(null),
  /** How the report cites: `[3]`, or `[https://…]` as document 002 does. */
  citationStyle: z.enum(['numbered', 'url']).default('numbered'),
  /** Rules on who stands behind an address, asked before the built-in ones. */
  sourceQualityRules: QualityRules.describe(
    'a list of `{ "level": "authoritative" or "general", "reason": … }`, each with at least one of `domains`, `hostStarts` and `path` (a regular expression)',
  ).default([]),
});
export type SynthesisSettings = z.infer<typeof SynthesisSettings>;

/** Limits on spending; absent means no limit. Time is run time, pauses not counted. */
export const BudgetLimits = z.object({
  maxTokens: z.int().positive().optional(),
  maxCostUsd: z.number().positive().optional(),
  maxTimeMs: z.int().positive().optional(),
});
export type BudgetLimits = z.infer<typeof BudgetLimits>;

/** A model that a run asks, with what bounds its calls. */
export const ModelChoice = z.object({
  /** By the endpoint's name for it. */
  name: z.string().min(1),
  /** How many tokens it takes, question and answer together. */
  contextTokens: z.int().positive(),
  /** Null where it is not known; a call then counts as costing nothing. */
  price: ModelPrice.nullable(),
});
export type ModelChoice = z.infer<typeof ModelChoice>;

/** The model of each role; `overview` in the place of the fast one in pass 1, `deepDive` of the strong one from pass 2 on. */
export const ModelChoices = z.object({
  fast: ModelChoice,
  strong: ModelChoice,
  critic: ModelChoice,
  overview: ModelChoice.optional(),
  deepDive: ModelChoice.optional(),
});
export type ModelChoices = z.infer<typeof ModelChoices>;

/**
 * The counts that decide how a run's work is cut up, and so the commands in its history: what a run was started with holds
 * to its end, whatever a later release cuts.
 */
export const RunShape = z.object({
  /** So many pieces of one kind of work are under way at most. */
  atOnce: z.int().positive(),
  /** So many sources are summarised by an activity. */
  sourcesABatch: z.int().positive(),
  /** Where no model is asked batches grow, so that there are no more than this. */
  mostBatches: z.int().positive(),
  /** So many summaries are planned from at once, where no window limits it. */
  summariesAtOnce: z.int().positive(),
  /** So many sources are scored at once, where a model is asked. */
  scoredAtOnce: z.int().positive(),
  /** Of more results than this each so many are joined into one, and the history may end behind them. */
  round: z.int().positive(),
});
export type RunShape = z.infer<typeof RunShape>;

/** The workflow's input. Everything that affects the result is in it, so that a worker's own settings do not. */
export const ReportRunInput = z.object({
  runId: RunId,
  kind: z.literal('report'),
  question: z.string(),
  manifestRef: ArtifactRef,
  /** How many sources the manifest lists. */
  sourceCount: z.int().positive(),
  /** How many characters their contents have together; absent where it is not known. */
  sourceChars: z.int().nonnegative().optional(),
  /** `accessedAt` of sources whose record has none; an ISO 8601 time. */
  asOf: z.string(),
  engine: EngineName,
  /** Null or absent for an engine that asks no model. */
  models: ModelChoices.nullable().optional(),
  /** The step versions in use, pinned at the start. */
  stepVersions: z.record(z.string(), z.string()),
  synthesis: SynthesisSettings,
  /** Where the rules on quality are, if the settings have none: there may be many, and one activity alone needs them. */
  qualityRulesRef: ArtifactRef.optional(),
  /** Absent in runs from before it was a part of the input. */
  shape: RunShape.optional(),
  budget: BudgetLimits,
  /** Absent: a day of patience, then parked. */
  outages: OutageSettings.optional(),
  /** False where the server does not know the search attributes and they could not be registered. */
  searchAttributes: z.boolean(),
  /** Continues as new at the next end of a pass, or of a round within it, once the history has so many events; the server's suggestion holds besides. */
  continueAsNewAfterEvents: z.int().positive().optional(),
});
export type ReportRunInput = z.infer<typeof ReportRunInput>;

/** What the workflow returns; the report itself lies in the content store. */
export const RunOutcome = z.object({
  runId: RunId,
  status: RunStatus,
  reportRef: ArtifactRef,
  markdownRef: ArtifactRef,
});
export type RunOutcome = z.infer<typeof RunOutcome>;

export const Warning = z.object({ code: z.string(), message: z.string() });
export type Warning = z.infer<typeof Warning>;

export const Usage = z.object({
  calls: z.int().nonnegative(),
  cachedCalls: z.int().nonnegative(),
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  costUsd: z.number().nonnegative(),
});
export type Usage = z.infer<typeof Usage>;

export const PassName = z.enum(['gather', 'overview', 'deep-dive', 'cross-reference', 'report']);
export type PassName = z.infer<typeof PassName>;

/**
 * The answer to the `progress` query. Times are ISO 8601. `section.index` is how many of the `of` sections the pass is done
 * with, and `id` that of one under way, or of the last one done: sections go on at the same time. Its `title` lies in the
 * store; the client adds it, and the query itself answers without it.
 */
export const Progress = z.object({
  runId: RunId,
  kind: RunKind,
  status: RunStatus,
  pass: z.object({ number: z.int(), of: z.int(), name: PassName, message: z.string() }),
  section: z.object({ index: z.int(), of: z.int(), id: z.string().optional(), title: z.string() }).nullable(),
  percent: z.number().min(0).max(100),
  /** Set where the status is `waiting`. */
  waiting: Waiting.nullable(),
  /** Set where the run is paused by itself. */
  parked: Parked.nullable(),
  usage: Usage,
  warnings: z.array(Warning),
  startedAt: z.string(),
  updatedAt: z.string(),
});
export type Progress = z.infer<typeof Progress>;
