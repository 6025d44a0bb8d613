import type { ArtifactRef } from '../contracts/run/artifact';
import type { OutageSettings } from '../contracts/run/outages';
import type {
  BudgetLimits,
  EngineName,
  ModelChoices,
  SynthesisSettings,
  Warning,
} from '../contracts/run/run';
import type { GivenRecords } from '../sources/read-records';
import type { RunHandle } from './run-handle';

/**
 * Where a run's sources come from: files that the client reads now, records that it takes now, each once, or a manifest that
 * it stored before.
 */
export type RequestedSources =
  | { paths: readonly string[]; skipInvalid?: boolean }
  | { records: GivenRecords; skipInvalid?: boolean }
  | { manifestRef: ArtifactRef; count: number };

export interface ReportRequest {
  question: string;
  sources: RequestedSources;
  /** Names the run; made from the time and the question where it is absent. */
  runId?: string;
  /** Starts a closed run's id anew; what that run left is forgotten when the new one has started. */
  again?: boolean;
  engine: EngineName;
  /** The models of an engine that asks some; they go with the run, so that a worker's own settings do not change it. */
  models?: ModelChoices | null;
  synthesis: SynthesisSettings;
  budget: BudgetLimits;
  /** What the run does where something is away; a day of patience, then parked, where it is absent. */
  outages?: OutageSettings;
  /** ISO 8601; `accessedAt` of sources whose record has none. The time of the start where it is absent. */
  asOf?: string;
  /** False where the server does not know Colligate's search attributes. */
  searchAttributes: boolean;
}

export interface StartedRun {
  run: RunHandle;
  /** True where a run of this id was running already, over the same question and sources: nothing was started or stored. */
  attached: boolean;
  /** How many sources the run was given; null where the client attached to a running one. */
  sources: number | null;
  warnings: Warning[];
}
