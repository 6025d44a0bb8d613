import { z } from 'zod';
import { DiffSummary } from '../report/diff-summary';
import { ArtifactRef } from './artifact';
import { RunId } from './run';

/** The run before another one: what it left, and what it was given, where that was stored as a list of sources. */
export const RunBefore = z.object({
  runId: RunId,
  reportRef: ArtifactRef,
  manifestRef: ArtifactRef.optional(),
  /** Of when it is, ISO 8601. */
  asOf: z.string().optional(),
});
export type RunBefore = z.infer<typeof RunBefore>;

/** What is told of a change, in the order of its weight. */
export const ChangeKind = z.enum([
  'source-came',
  'source-changed',
  'source-went',
  'conflict-opened',
  'conflict-changed',
  'conflict-closed',
  'finding-changed',
  'finding-new',
  'finding-gone',
  'set-aside',
  'gap-opened',
  'gap-closed',
]);
export type ChangeKind = z.infer<typeof ChangeKind>;

export const SinceLast = z.object({
  runId: RunId,
  /** Of when that is, ISO 8601; null where it is not kept any more. */
  asOf: z.string().nullable(),
  /** Null where it is not kept any more, so that nothing could be compared. */
  changed: z.boolean().nullable(),
  /** The counts of `diff`. */
  summary: DiffSummary.nullable(),
  /** The most important changes, a line of Markdown each. */
  changes: z.array(z.object({ kind: ChangeKind, line: z.string() })),
  more: z.int().nonnegative(),
});
export type SinceLast = z.infer<typeof SinceLast>;
