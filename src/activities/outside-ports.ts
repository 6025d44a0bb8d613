import type { EngineName, RunStatus, Usage } from '../contracts/run';
import type { PinnedPrompts, PromptOrigin } from '../contracts/run-input';
import type { ModelCall } from '../engines/engine';
import type { KnownPrompt, StepTemplate } from '../steps/step';

export interface TracedRun {
  runId: string;
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean | string[]>>;

/** A step that has ended. Times are milliseconds since 1970. */
export interface StepSpan {
  step: { name: string; version: string };
  engine: EngineName;
  place: { pass: number; section?: string; revision?: number; ordinal?: number | string };
  turn: number;
  prompt: PromptOrigin | null;
  startedAt: number;
  endedAt: number;
  /** Null where the step failed without saying what it had used. */
  usage: Usage | null;
  calls: readonly ModelCall[];
  /** The kind of failure that ended it; null where none did. */
  failure: string | null;
  input: unknown;
  output: unknown;
}

export interface Note {
  name: string;
  attributes: SpanAttributes;
  startedAt: number;
  endedAt: number;
}

/**
 * Tells of runs elsewhere, in the background: nothing of it waits, and nothing of it fails. Whatever is told of a run by
 * whichever process is one trace, and what an activity tells again when it is tried again is told under the same ids.
 */
export interface Traces {
  /** False where nobody is told, and nothing need be gathered for it. */
  readonly isOn: boolean;
  step(run: TracedRun, span: StepSpan): void;
  /** A span of the run's own; equal names with equal starts are the same. */
  note(run: TracedRun, note: Note): void;
  /** The run's own span, once its event log is closed. */
  ended(run: TracedRun, status: RunStatus): void;
  /** The trace's id, 32 hexadecimal digits; null where nobody is told. */
  idOf(run: TracedRun): Promise<string | null>;
  /** Waits for what is under way, two seconds at most. */
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
  knownPrompt?: KnownPrompt;
}

export interface PromptSource {
  /**
   * The prompts that the steps have there now. It does not fail: what cannot be had, or does not offer the step's variables, is
   * left out, and a warning says why. Rejects with the signal's reason alone.
   */
  resolve(steps: readonly PromptedStep[], signal: AbortSignal): Promise<PinnedPrompts>;
}
