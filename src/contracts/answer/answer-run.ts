import { z } from 'zod';
import { JudgeSettings } from '../judge/rubric';
import { ArtifactRef } from '../run/artifact';
import { RunId } from '../run/run';
import { RunSearch } from '../run/search';
import { RunConditions, RunEngine } from '../run/run-input';
import { GivenRecord } from '../source/source';
import { Critique } from '../verification/critique';
import { AnswerMessage } from './message';
import { AnswerSettings } from './answer-settings';

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
