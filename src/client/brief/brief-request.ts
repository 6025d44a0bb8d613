import type { z } from 'zod';
import type { Brief } from '../../contracts/brief/brief';
import type { BriefSettings } from '../../contracts/brief/brief-settings';
import type { GivenSubtopic } from '../../contracts/brief/subtopic';
import type { JudgeSettings } from '../../contracts/judge/rubric';
import type { OutageSettings } from '../../contracts/run/outages';
import type { BudgetLimits, ModelChoices } from '../../contracts/run/run-input';
import type { EngineName, Warning } from '../../contracts/run/run';
import type { RunHandle } from '../run-handle';
import type { SteeringOfReports } from '../steering/steer-run';
import type { BriefPassResults, BriefPassWithResult } from './pass-results/brief-pass-results';

/**
 * What a brief is made of: subtopics as a program has them, or files and folders that the client reads now, by paths from the working
 * directory.
 */
export type RequestedSubtopics = readonly GivenSubtopic[] | { paths: readonly string[] };

/** What is asked for. Only `question` and `subtopics` have to be given. */
export interface BriefRequest {
  /** At most 4,000 characters. */
  question: string;
  subtopics: RequestedSubtopics;
  /** Names the run; made from the time where it is absent. */
  runId?: string;
  /** Starts a closed run's id anew; what that run left is forgotten when the new one has started. */
  again?: boolean;
  /** Who plans and writes; the extractive engine, which asks no model, where it is absent. */
  engine?: EngineName;
  /** The models of an engine that asks some. */
  models?: ModelChoices | null;
  /** Length, template, what becomes of unsupported claims; each setting that is absent has its default. */
  brief?: Partial<BriefSettings>;
  /** How the text is judged; each setting that is absent has its default. */
  judge?: z.input<typeof JudgeSettings>;
  /** No limits where it is absent. */
  budget?: BudgetLimits;
  /** What the run does where something is away; a day of patience, then parked, where it is absent. */
  outages?: OutageSettings;
  /** ISO 8601; `accessedAt` of sources that have none. The time of the start where it is absent. */
  asOf?: string;
  /** True only where the server knows Colligate's search attributes: it refuses the start else. */
  searchAttributes?: boolean;
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

export interface StartedBrief {
  run: BriefHandle;
  /** True where a run of this id was running already, over the same question and subtopics: nothing was started or stored. */
  attached: boolean;
  /** How many different addresses and documents the subtopics name; null where the client attached to a running one. */
  sources: number | null;
  warnings: Warning[];
}
