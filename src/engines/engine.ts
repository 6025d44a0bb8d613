import type { EngineName, Usage, Warning } from '../contracts/run';
import type { FailedStep } from '../contracts/run-status';
import type { EngineSettings } from '../contracts/settings';
import type { Step, StepProblem, StepRole, StepTemplate } from '../steps/step';
import type { ResponseCache } from '../stores/stores';
import type { ModelClient } from './model/port';
import type { Paces } from './model/rate-limiter';
import type { ThreadPool } from './thread-pool';

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

/** What an engine may need of the process; the process closes it. */
export interface EnginePorts {
  threads: ThreadPool;
  responses: ResponseCache;
  paces: Paces;
  /** Made where it is asked for the first time. */
  promptSecret: () => Promise<string>;
}

export interface EngineModule {
  /** Null where the configuration lacks what the engine needs. */
  create(settings: EngineSettings, ports: EnginePorts): Promise<Engine | null>;
  /** Null where no model for embeddings is configured; absent where the engine asks no models. */
  createEmbedder?(settings: EngineSettings, ports: Pick<EnginePorts, 'paces'>): Embedder | null;
  /**
   * For a look at what the engine's steps would ask: no answer is kept. Null where no endpoint is configured; absent where
   * the engine asks none.
   */
  openClient?(settings: EngineSettings, limits?: ClientLimits): ModelClient | null;
}

/** Shorter times than those of the configuration, in milliseconds. */
export interface ClientLimits {
  timeoutMs: number;
  inactivityMs: number;
}

export interface Embedder {
  /** Names the endpoint and the model: vectors of different names are not comparable. */
  readonly name: string;
  /** One vector a text, in their order, all of one length. Throws `EmbeddingFailedError`; cancellation passes untouched. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<number[][]>;
}

/** Texts could not be embedded; the message says why, and repeats none of them. */
export class EmbeddingFailedError extends Error {
  override readonly name = 'EmbeddingFailedError';
}

/** A step's output broke its contract, and could not be mended; the message names the first problems. */
export class StepFailedError extends Error {
  constructor(
    readonly step: string,
    readonly problems: readonly StepProblem[],
    readonly why: Pick<FailedStep, 'reason' | 'lacks' | 'sources'> = { reason: 'off-schema' },
  ) {
    const shown = problems.slice(0, 3).map((problem) => `${problem.path}: ${problem.message}`);
    const rest = problems.length > shown.length ? ` (and ${problems.length - shown.length} more)` : '';
    super(`Step ${step} gave an output that breaks its contract: ${shown.join('; ')}${rest}`);
    this.name = 'StepFailedError';
  }
}

export interface FailureAdvice {
  /** What kind of failure it is, such as `rate-limited`. */
  kind: string;
  retryable: boolean;
  /** Null where nothing is known. */
  retryAfterMs: number | null;
  /** Who refused, such as `gpt-5 at api.example.com`. */
  askedOf: string;
  /** The endpoint's own words; empty where it has none. */
  says: string;
}

export interface FailureNotes {
  spent: Usage;
  /** Null where the error says all. */
  advice: FailureAdvice | null;
  /** Why a step gave nothing; absent where that is not known. */
  failed?: FailedStep;
}

const notes = new WeakMap<object, FailureNotes>();

export function noteFailure(error: unknown, known: FailureNotes): void {
  if (isObject(error)) notes.set(error, known);
}

/** What is known of this very error; null where nothing was noted. */
export function notesOn(error: unknown): FailureNotes | null {
  return isObject(error) ? (notes.get(error) ?? null) : null;
}

/** An aborted call throws what is no `Error` of this realm where a test runner has its own. */
function isObject(error: unknown): error is object {
  return typeof error === 'object' && error !== null;
}
