import { z } from 'zod';
import type { AnswerStart } from '../answer/answer-start';
import type { BriefStart } from '../brief/brief-start';
import { RunKind } from '../kinds';
import type { ReportStart } from '../report/report-start';
import type { ArtifactRef } from '../run/artifact';
import { RunId } from '../run/run';
import { RunBefore } from '../run/since';

/** Sources that are looked for when a schedule fires. */
export interface FoundSources {
  finder: string;
  settings: unknown;
  /** Goes on without bad records, with a warning for each. */
  skipInvalid: boolean;
}

/** Subtopics that are read when a schedule fires, behind those that are stored. */
export interface FoundSubtopics {
  paths: readonly string[];
  subtopicsRef?: ArtifactRef;
}

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
 * what an earlier one has put there: fields are added, and none changes its meaning. References, no texts.
 */
export interface ScheduledStart {
  schedule: string;
  /** Under what name the schedule's own log and contents are kept. */
  keptAs: string;
  run: RunTemplate;
  /** Null where the sources are stored. */
  sources: FoundSources | null;
  subtopics: FoundSubtopics | null;
  /** Of a run, for lists: its question, and what is known of it. */
  question: string;
  engine: string;
}

/** What a firing came to: the run before, of the next one. */
export const ScheduledResult = RunBefore;
export type ScheduledResult = z.infer<typeof ScheduledResult>;

/** What the memo of a firing says of it. */
export const FiringMemo = z.object({
  runId: RunId,
  kind: RunKind,
  status: z.enum(['finding', 'running', 'completed', 'partial', 'cancelled', 'failed']),
  /** Why it failed. */
  problem: z.string().optional(),
});
export type FiringMemo = z.infer<typeof FiringMemo>;
