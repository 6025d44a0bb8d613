import type { EngineName, Usage, Warning } from '../contracts/run/run';
import type { Step, StepRole } from '../steps/step';
import type { StepTemplate } from '../steps/template';

export interface StepContext {
  runId: string;
  /** The run's own models by role; the engine's where it has none. */
  models?: Readonly<Record<StepRole, string>>;
  /** With what texts are written; 0 where it is absent (document 002). */
  temperature?: number;
  /** Aborts when the activity is cancelled or the worker shuts down. */
  signal: AbortSignal;
  /** Receives text as it is written, where the engine can write in parts. */
  onText?: (text: string) => void;
  /**
   * A further turn asks again on purpose what an earlier one was answered badly, and asks it otherwise: for less, or with
   * what was wrong. What was answered well is not asked again. Default 0.
   */
  turn?: number;
  /** Which revision of a text the step is for. Default 0. */
  revision?: number;
  /** Takes the place of the step's own; of no effect on an engine that asks no model. */
  template?: StepTemplate;
  onCall?: (call: ModelCall) => void;
}

/** A call of a model, as it ended. Times are milliseconds since 1970. */
export interface ModelCall {
  model: string;
  messages: readonly { role: string; content: string }[];
  temperature: number;
  maxOutputTokens: number;
  startedAt: number;
  endedAt: number;
  /** What this run pays for it; nothing for a response that was there already. */
  usage: Usage;
  /** Null where it failed. */
  answer: { text: string; finishReason: string } | null;
  failure: string | null;
}

export interface StepResult<Output> {
  output: Output;
  usage: Usage;
  warnings: Warning[];
  /** What holds for the run as a whole, whichever step finds it: told once. */
  ofRun?: Warning[];
}

/** Carries out steps. `run` parses the input, and returns only outputs that keep the step's schema and pass its check. */
export interface Engine {
  readonly name: EngineName;
  run<Input, Output>(
    step: Step<Input, Output>,
    input: Input,
    context: StepContext,
  ): Promise<StepResult<Output>>;
  close(): Promise<void>;
}
