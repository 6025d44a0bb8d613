import type { RunKind } from '../contracts/kinds';
import type { RunEvent } from '../contracts/run/event';
import type { Outline } from '../contracts/report/outline';
import type { Report } from '../contracts/report/report';
import type { Progress, RunStatus } from '../contracts/run/run';
import type { RunUsage } from '../contracts/run/run-messages';
import type { JudgedVersion } from '../contracts/judge/judgement';
import type { StoredVersion } from './judged-version';
import type { PassResults, PassWithResult } from './pass-results/pass-results';
import type { RunSteering } from './steering/steer-run';

/**
 * Progress, and who told it: the run itself, or the server's description and the event log while no worker answers. `owner` where it is
 * somebody's.
 */
export type RunProgress = Progress & { toldBy: 'run' | 'records'; note?: string; owner?: string };

export type ClosedStatus = Extract<RunStatus, 'completed' | 'partial' | 'cancelled' | 'failed'>;

export interface ClosedRun {
  status: ClosedStatus;
  message?: string;
  engineUnreachable?: true;
}

/** One run. Every method rejects with `RunNotFoundError` where the server knows no run of the id. */
export interface RunHandle extends RunSteering {
  readonly runId: string;
  kind(): Promise<RunKind>;
  /** Whose it is; null where it is nobody's. */
  owner(): Promise<string | null>;
  /** With `fromRecords` no worker is asked, which may take seconds where none answers. */
  progress(options?: { fromRecords?: boolean }): Promise<RunProgress>;
  /** Null before pass 1 has ended. */
  outline(): Promise<Outline | null>;
  /** Calls, tokens and USD so far. */
  usage(): Promise<RunUsage>;
  /**
   * What is under way is finished first. Rejects with `RunNotRunningError` where the run has closed, as `resume` and `cancel` do, and
   * with `MessageUnansweredError` where its history takes no more signals and no worker answers for a minute, as `resume` does.
   */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Asks for the cancellation; the run closes when its partial report is stored. */
  cancel(): Promise<void>;
  /** Events above `after` as they come; ends after the closing event or on abort. */
  events(options?: { after?: number; signal?: AbortSignal }): AsyncIterable<RunEvent>;
  /**
   * Resolves for failed and cancelled runs too. Waits over restarts of server and worker; rejects with the reason of
   * `signal` when that aborts.
   */
  waitUntilClosed(options?: { signal?: AbortSignal }): Promise<ClosedRun>;
  /** What a report stored, partial ones included; null where there is none (yet). Rejects with `RunKindError` for other runs, and with `RunContentGoneError` where it is being deleted. */
  report(): Promise<{ report: Report; markdown: string } | null>;
  /**
   * A version of what an ended run stored, of whatever kind, with how it was judged. Rejects with `UnknownVersionError` where
   * there is none of the number, and with `RunWithoutReportError` before its end.
   */
  version(n: number): Promise<StoredVersion>;
  /** How each version was judged, oldest first; none where the text was not judged. Rejects with `RunWithoutReportError` before its end. */
  versions(): Promise<JudgedVersion[]>;
  /** What a pass left: the catalogue, the outline, the findings, the validated findings; null before its end. */
  passResult<Pass extends PassWithResult>(pass: Pass): Promise<PassResults[Pass] | null>;
}

/** A line of the list of runs. Times are ISO 8601. */
export interface RunSummary {
  runId: string;
  kind: RunKind;
  status: RunStatus;
  question: string;
  startedAt: string;
  closedAt: string | null;
  /** The schedule that it is of; absent where nobody scheduled it. */
  schedule?: string;
  owner?: string;
  /** What its models cost so far; 0 where none costs anything. */
  costUsd: number;
}
