import type { Brief } from '../../contracts/brief/brief';
import type { BriefSettings } from '../../contracts/brief/brief-settings';
import type { GivenSubtopic } from '../../contracts/brief/subtopic';
import type { RunRequest, TakenUp } from '../run-request';
import type { RunHandle } from '../run-handle';
import type { SteeringOfReports } from '../steering/steer-run';
import type { BriefPassResults, BriefPassWithResult } from './pass-results/brief-pass-results';

/**
 * What a brief is made of: subtopics as a program has them, or files and folders that the client reads now, by paths from the working
 * directory.
 */
export type RequestedSubtopics = readonly GivenSubtopic[] | { paths: readonly string[] };

export interface BriefRequest extends RunRequest {
  /** At most 4,000 characters. */
  question: string;
  subtopics: RequestedSubtopics;
  /** Names the run; made from the time where it is absent. */
  runId?: string;
  /** Length, template, what becomes of unsupported claims; each setting that is absent has its default. */
  brief?: Partial<BriefSettings>;
}

/** A brief that was started. Every method rejects with `RunNotFoundError` where the server knows none of the id. */
export interface BriefHandle extends Omit<
  RunHandle,
  'kind' | 'outline' | 'report' | 'passResult' | SteeringOfReports
> {
  /** What is stored, partial ones included; null where there is none (yet). Rejects with `RunKindError` for other runs. */
  result(): Promise<Brief | null>;
  /**
   * Waits for the brief, over restarts of server and worker. Rejects with `RunWithoutReportError` where the run ended with none, and
   * with the reason of `signal` when that aborts.
   */
  brief(options?: WaitForBrief): Promise<Brief>;
  /** What a pass left: the material, the plan, how each version was judged; null before there is any. */
  passResult<Pass extends BriefPassWithResult>(pass: Pass): Promise<BriefPassResults[Pass] | null>;
}

/** How long is waited for a brief; an abort ends the waiting alone. */
export interface WaitForBrief {
  signal?: AbortSignal;
}

export interface StartedBrief extends TakenUp {
  run: BriefHandle;
}
