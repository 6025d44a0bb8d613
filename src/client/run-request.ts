import type { z } from 'zod';
import type { JudgeSettings } from '../contracts/judge/rubric';
import type { RunEstimate } from '../contracts/run/estimate';
import type { OutageSettings } from '../contracts/run/outages';
import type { BudgetLimits, ModelChoices } from '../contracts/run/run-input';
import type { EngineName, Warning } from '../contracts/run/run';
import type { Webhook } from '../contracts/run/webhook';

export interface RunRequest {
  /** Runs an ended id anew; what that run left is forgotten when the new one has started. */
  again?: boolean;
  /** Who reads and writes; the extractive engine, which asks no model, where it is absent. */
  engine?: EngineName;
  /** The models of an engine that asks some; they go with the run, so that a worker's own settings do not change it. */
  models?: ModelChoices | null;
  /** How the text is judged; each setting that is absent has its default. An answer is judged where it is present. */
  judge?: z.input<typeof JudgeSettings>;
  /** No limits where it is absent. */
  budget?: BudgetLimits;
  /** Who is told when it has ended, signed with the workers' `webhooks.secret`; nobody where it is absent. */
  webhook?: Webhook;
  /**
   * What is done where something is away. Where it is absent, a report and a brief have a day of patience and are parked then; an
   * answer has two minutes, and falls back.
   */
  outages?: OutageSettings;
  /** ISO 8601; `accessedAt` of sources whose record has none. The time of the start where it is absent. */
  asOf?: string;
  /** Whose the run is, for faces that keep the runs of one from others; nobody's where it is absent. */
  owner?: string;
  /** True only where the server knows Colligate's search attributes: it refuses the start else. */
  searchAttributes?: boolean;
}

export interface TakenUp {
  /** True where a run of this id was going on already, about the same: nothing was started or stored. */
  attached: boolean;
  /** How many sources the run was given, of a brief those that its subtopics name; null where the client attached to a running one. */
  sources: number | null;
  warnings: Warning[];
  /** What it is expected to ask of models; null where none is asked, where a search is to find the sources, and where the client attached. */
  estimate: RunEstimate | null;
}
