import type { z } from 'zod';
import type { JudgeSettings } from '../contracts/judge/rubric';
import type { ApprovalSettings } from '../contracts/steering/messages';
import type { OutageSettings } from '../contracts/run/outages';
import type { BudgetLimits, ModelChoices } from '../contracts/run/run-input';
import type { EngineName, Warning } from '../contracts/run/run';
import type { SynthesisSettings } from '../contracts/report/synthesis-settings';
import type { RequestedSources } from './requested-sources';
import type { RunHandle } from './run-handle';

/** What is asked for. Only `question` and `sources` have to be given. */
export interface ReportRequest {
  /** At most 4,000 characters. */
  question: string;
  sources: RequestedSources;
  /** Names the run; made from the time where it is absent. */
  runId?: string;
  /** Starts a closed run's id anew; what that run left is forgotten when the new one has started. */
  again?: boolean;
  /** Who reads and writes; the extractive engine, which asks no model, where it is absent. */
  engine?: EngineName;
  /** The models of an engine that asks some; they go with the run, so that a worker's own settings do not change it. */
  models?: ModelChoices | null;
  /** Each setting that is absent has its default. */
  synthesis?: Partial<SynthesisSettings>;
  /** How the text is judged; each setting that is absent has its default. */
  judge?: z.input<typeof JudgeSettings>;
  /** No limits where it is absent. */
  budget?: BudgetLimits;
  /** What the run does where something is away; a day of patience, then parked, where it is absent. */
  outages?: OutageSettings;
  /** Where it is present, the run waits so long for somebody to approve of its outline, and goes on with it then. */
  approval?: ApprovalSettings;
  /** ISO 8601; `accessedAt` of sources whose record has none. The time of the start where it is absent. */
  asOf?: string;
  /** True only where the server knows Colligate's search attributes: it refuses the start else. */
  searchAttributes?: boolean;
}

export interface StartedRun {
  run: RunHandle;
  /** True where a run of this id was running already, over the same question and sources: nothing was started or stored. */
  attached: boolean;
  /** How many sources the run was given; null where the client attached to a running one. */
  sources: number | null;
  warnings: Warning[];
}
