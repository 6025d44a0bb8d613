import { z } from 'zod';
import type { AnswerStart } from '../answer/answer-start';
import type { BriefStart } from '../brief/brief-start';
import { RunKind } from '../kinds';
import { MAX_QUESTION_CHARS, type ReportStart } from '../report/report-start';
import { ArtifactRef } from '../run/artifact';
import { RunId } from '../run/run';
import { RunBefore } from '../run/since';

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
