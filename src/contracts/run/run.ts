import { z } from 'zod';
import { PassName, RunKind } from '../kinds';
import { ArtifactRef } from './artifact';
import { engineNames } from './engines';
import { Parked, Waiting } from './outages';

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

/** What the workflow returns; the report itself lies in the content store. */
export const RunOutcome = z.object({
  runId: RunId,
  status: RunStatus,
  reportRef: ArtifactRef,
  markdownRef: ArtifactRef,
});
export type RunOutcome = z.infer<typeof RunOutcome>;

/** Why a step of a model was not done, or not whole. */
export const FallbackReason = z.enum([
  'empty',
  'thinking',
  'not-json',
  'off-schema',
  'uncited',
  'unsupported',
  'nothing-found',
  'cut-off',
  'repeated',
  'filtered',
  'too-long',
  'too-slow',
  'unreadable',
  'refused',
  'budget',
]);
export type FallbackReason = z.infer<typeof FallbackReason>;

export const Warning = z.object({
  code: z.string(),
  message: z.string(),
  /** Set where something else stands for what a model was asked for: quotes, an unmended text, or a part. The message says why. */
  fallback: z
    .object({
      step: z.string(),
      reason: FallbackReason,
      /** The sources that the endpoint's content filter refused. */
      sourceIds: z.array(z.string()),
    })
    .optional(),
});
export type Warning = z.infer<typeof Warning>;

export const Usage = z.object({
  calls: z.int().nonnegative(),
  cachedCalls: z.int().nonnegative(),
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  costUsd: z.number().nonnegative(),
});
export type Usage = z.infer<typeof Usage>;

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
  /** Of the pass that gathers: how many sources are read, of all that there are. */
  sources: z.object({ read: z.int().nonnegative(), of: z.int().nonnegative() }).optional(),
  percent: z.number().min(0).max(100),
  /** Set where the status is `waiting`; a limit whose end is known also beside other work. */
  waiting: Waiting.nullable(),
  /** Set where the run is paused by itself. */
  parked: Parked.nullable(),
  /** Where it is paused, or waits for approval: since when, as far as that is known. */
  stillSince: z.string().optional(),
  usage: Usage,
  warnings: z.array(Warning),
  startedAt: z.string(),
  updatedAt: z.string(),
});
export type Progress = z.infer<typeof Progress>;
