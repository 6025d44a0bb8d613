import { z } from 'zod';
import { JudgeSettings } from '../judge/rubric';
import { ArtifactRef } from '../run/artifact';
import { RunId } from '../run/run';
import { RunConditions, RunEngine } from '../run/run-input';
import { BriefSettings } from './brief-settings';
import { GivenSubtopic } from './subtopic';

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
