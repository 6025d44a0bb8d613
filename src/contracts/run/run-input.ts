import { z } from 'zod';
import { ArtifactRef } from './artifact';
import type { RunKind } from '../kinds';
import { RunEstimate } from './estimate';
import { OutageSettings } from './outages';
import { ModelPrice } from './prices';
import { EngineName, type RunId } from './run';
import type { RunSearch } from './search';
import { RunBefore } from './since';
import { Webhook } from './webhook';

/** The longest that anything may be told to take or to be kept: ten years. */
export const MAX_TIME_MS = 315_360_000_000;

/** Limits on spending; absent means no limit. Time is run time, pauses not counted. */
export const BudgetLimits = z.object({
  maxTokens: z.int().positive().optional(),
  maxCostUsd: z.number().positive().optional(),
  maxTimeMs: z.int().positive().optional(),
});
export type BudgetLimits = z.infer<typeof BudgetLimits>;

/**
 * The limits as people and services are asked for them: what is above these bounds is a slip. A start takes more, because runs
 * and schedules that were begun with more have to go on.
 */
export const AskedLimits = z.object({
  /** Default: no limit. The most tokens that models may take. */
  maxTokens: z.int().positive().max(1_000_000_000_000).optional(),
  /** Default: no limit. The most USD that models may cost, by `openai.prices`. */
  maxCostUsd: z.number().positive().max(1_000_000_000).optional(),
  /** Default: no limit. The longest that a run may take, pauses not counted, in milliseconds. */
  maxTimeMs: z.int().positive().max(MAX_TIME_MS).optional(),
}) satisfies z.ZodType<BudgetLimits>;

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
  atOnce: z.int().positive(),
  sourcesABatch: z.int().positive(),
  /** Where no model is asked batches grow, so that there are no more than this. */
  mostBatches: z.int().positive(),
  /** No batch grows beyond this: there are more than that of them then. Absent in runs from before it was a part of the input. */
  largestBatch: z.int().positive().optional(),
  /** So many summaries are planned from at once, where no window limits it. */
  summariesAtOnce: z.int().positive(),
  /** So many sources are scored at once, where a model is asked. */
  scoredAtOnce: z.int().positive(),
  /** Of more results than this each so many are joined into one, and the history may end behind them. */
  round: z.int().positive(),
});
export type RunShape = z.infer<typeof RunShape>;

export const RunMaterial = z.object({
  manifestRef: ArtifactRef,
  sourceCount: z.int().positive(),
  /** How many characters their contents have together; absent where it is not known. */
  sourceChars: z.int().nonnegative().optional(),
  /** `accessedAt` of sources whose record has none; an ISO 8601 time. */
  asOf: z.string(),
});

export const RunEngine = z.object({
  engine: EngineName,
  /** Null or absent for an engine that asks no model. */
  models: ModelChoices.nullable().optional(),
  /** The step versions in use, pinned at the start. */
  stepVersions: z.record(z.string(), z.string()),
});

export const RunConditions = z.object({
  /** Absent in runs from before it was a part of the input. */
  shape: RunShape.optional(),
  budget: BudgetLimits,
  /** Absent: a day of patience, then parked. */
  outages: OutageSettings.optional(),
  webhook: Webhook.optional(),
  /** What it is expected to ask of models; of no effect on the run. Absent where no model is asked, and where it is not known. */
  estimate: RunEstimate.optional(),
  /** False where the server does not know the search attributes and they could not be registered. */
  searchAttributes: z.boolean(),
  /** The schedule that the run is of; the server refuses long search attributes, at every workflow task. */
  schedule: z.string().max(100).optional(),
  /** The run before, of the same schedule: what changed since is told with the result. */
  since: RunBefore.optional(),
  /** Continues as new at the next end of a pass, or of a round within it, once the history has so many events; the server's suggestion holds besides. */
  continueAsNewAfterEvents: z.int().positive().optional(),
});

export interface RunInput extends z.infer<typeof RunEngine>, z.infer<typeof RunConditions> {
  runId: RunId;
  kind: RunKind;
  question: string;
  sourceCount: number;
  /** Where it looks for sources itself; absent where all are given, and of kinds that look for none. */
  search?: RunSearch | undefined;
}
