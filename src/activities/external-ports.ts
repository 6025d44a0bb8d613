import type { EngineName, RunStatus, Usage } from '../contracts/run';
import type { PinnedPrompts, PromptOrigin } from '../contracts/run-input';
import type { ModelCall } from '../engines/engine';
import type { ExternalPrompt, StepTemplate } from '../steps/step';

// Interfaces for traces, and for prompts kept outside the program.

export interface TracedRun {
  runId: string;
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean | string[]>>;

/** Times are milliseconds since 1970. */
export interface StepSpan {
  step: { name: string; version: string };
  engine: EngineName;
  place: { pass: number; section?: string; revision?: number; ordinal?: number | string };
  turn: number;
  prompt: PromptOrigin | null;
  startedAt: number;
  endedAt: number;
  /** Null if the step failed without reporting usage. */
  usage: Usage | null;
  calls: readonly ModelCall[];
  /** Type of the error; null if the step succeeded. */
  failure: string | null;
  input: unknown;
  output: unknown;
}

export interface RunSpan {
  name: string;
  attributes: SpanAttributes;
  startedAt: number;
  endedAt: number;
}

/** Never blocks and never fails. All processes report a run as one trace; retries reuse the span ids. */
export interface Traces {
  /** False if nothing is exported, so that callers need not collect anything. */
  readonly isOn: boolean;
  step(run: TracedRun, span: StepSpan): void;
  /** Adds a span to the run; equal names with equal starts are one span. */
  note(run: TracedRun, note: RunSpan): void;
  /** Call it after the event log is closed. */
  ended(run: TracedRun, status: RunStatus): void;
  /** 32 hexadecimal digits; null if nothing is exported. */
  idOf(run: TracedRun): Promise<string | null>;
  /** Waits for pending exports, 2 s at most. */
  close(): Promise<void>;
}

export const NO_TRACES: Traces = {
  isOn: false,
  step: () => undefined,
  note: () => undefined,
  ended: () => undefined,
  idOf: () => Promise.resolve(null),
  close: () => Promise.resolve(),
};

export interface PromptedStep {
  name: string;
  template: StepTemplate;
  knownPrompt?: ExternalPrompt;
}

export interface PromptSource {
  /** Leaves out, with a warning, prompts that are unavailable or lack a variable. */
  resolve(steps: readonly PromptedStep[], signal: AbortSignal): Promise<PinnedPrompts>;
}
