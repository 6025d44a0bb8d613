import type { RunKind } from '../../contracts/kinds';
import type { FiringMemo } from '../../contracts/schedule/scheduled-start';
import type { AnswerRequest } from '../answer/answer-request';
import type { GivenSubtopic } from '../../contracts/brief/subtopic';
import type { BriefRequest } from '../brief/brief-request';
import type { ReportRequest } from '../report-request';

/** What happens to a firing while the run of an earlier one goes on. */
export const OVERLAPS = ['skip', 'buffer-one', 'buffer-all', 'cancel-other', 'allow-all'] as const;
export type Overlap = (typeof OVERLAPS)[number];

/** When a schedule fires: by a cron expression in a time zone (UTC where none is named), or at even intervals. */
export type ScheduleTimes = { cron: string; timeZone?: string } | { everyMs: number };

/** A brief of a schedule: `besides` are subtopics that stand behind those of its paths, as they are now. */
export interface ScheduledBrief extends BriefRequest {
  besides?: readonly GivenSubtopic[];
}

/**
 * What a schedule starts, a run of any kind. Files and folders are read when it fires, by the worker; records and stored
 * sources are what they are now. `runId` and `again` are of no use: each run has an id of its own.
 */
export type ScheduledRequest =
  { report: ReportRequest } | { answer: AnswerRequest } | { brief: ScheduledBrief };

export interface ScheduleRequest {
  /** Letters, digits, dots, dashes and underscores; its runs are called by it. */
  name: string;
  times: ScheduleTimes;
  run: ScheduledRequest;
  /** `skip` where it is absent. */
  overlap?: Overlap;
  /** How long after its time a firing is made up for that the server missed; a day where it is absent, ten seconds at least. */
  catchUpMs?: number;
  /** Each firing comes up to so much later, by chance. */
  jitterMs?: number;
  note?: string;
}

/** A schedule as it stands. Times are ISO 8601. */
export interface ScheduleSummary {
  name: string;
  kind: RunKind;
  question: string;
  engine: string;
  /** What is read when it fires; empty where the sources are stored. */
  paths: string[];
  times: ScheduleTimes;
  paused: boolean;
  note: string | null;
  /** The next times, soonest first. */
  next: string[];
  owner?: string | undefined;
}

export interface DescribedSchedule extends ScheduleSummary {
  overlap: Overlap;
  catchUpMs: number;
  createdAt: string;
  /** How often it has fired, and how often it did not for an earlier run or because the server was away for too long. */
  counts: { fired: number; skipped: number; missed: number };
  /** Latest first. */
  firings: Firing[];
}

export interface Firing extends Pick<FiringMemo, 'runId' | 'status' | 'problem'> {
  /** When it was taken up. */
  at: string;
}

/** A schedule. Every method rejects with `ScheduleNotFoundError` where there is none of the name. */
export interface ScheduleHandle {
  readonly name: string;
  describe(): Promise<DescribedSchedule>;
  /** It does not fire until it is resumed; a run that goes on is not touched. */
  pause(note?: string): Promise<void>;
  resume(note?: string): Promise<void>;
  /** Fires now, besides its times, by its own rule on overlaps. */
  trigger(): Promise<void>;
  /** Runs stay, and one that goes on goes on; what is kept for the next one is let go. */
  delete(): Promise<void>;
}
