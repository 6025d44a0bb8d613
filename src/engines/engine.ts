import type { EngineName, Usage, Warning } from '../contracts/run';
import type { FailedStep } from '../contracts/run-status';
import type { EngineSettings } from '../contracts/settings';
import type { Step, StepProblem, StepRole, StepTemplate } from '../steps/step';
import type { ResponseCache } from '../stores/stores';
import type { ModelClient } from './model/port';
import type { RateLimiters } from './model/rate-limiter';
import type { ThreadPool } from './thread-pool';

export interface StepContext {
  runId: string;
  /** Models of this run by role. Default: the engine's models. */
  models?: Readonly<Record<StepRole, string>>;
  /** Sampling temperature for written text. Default 0 (document 002). */
  temperature?: number;
  /** Aborts when the activity is cancelled or the worker shuts down. */
  signal: AbortSignal;
  /** Receives the text in parts, if the engine streams. */
  onText?: (text: string) => void;
  /** Number of earlier turns with unusable answers. From 1 on, the step is asked differently. Default 0. */
  turn?: number;
  revision?: number;
  /** Replaces the step's own template. Engines without a model ignore it. */
  template?: StepTemplate;
  onCall?: (call: ModelCall) => void;
}

/** A finished model call. Times are milliseconds since 1970. */
export interface ModelCall {
  model: string;
  messages: readonly { role: string; content: string }[];
  temperature: number;
  maxOutputTokens: number;
  startedAt: number;
  endedAt: number;
  /** Cost to this run; zero for a cached response. */
  usage: Usage;
  /** Null if the call failed. */
  answer: { text: string; finishReason: string } | null;
  failure: string | null;
}

export interface StepResult<Output> {
  output: Output;
  usage: Usage;
  warnings: Warning[];
  /** Warnings about the whole run. The run reports each of them once. */
  ofRun?: Warning[];
}

/** Runs steps. `run` parses the input and returns only outputs that match the step's schema and pass its check. */
export interface Engine {
  readonly name: EngineName;
  run<Input, Output>(
    step: Step<Input, Output>,
    input: Input,
    context: StepContext,
  ): Promise<StepResult<Output>>;
  close(): Promise<void>;
}

/** The process closes them. */
export interface EnginePorts {
  threads: ThreadPool;
  responses: ResponseCache;
  paces: RateLimiters;
  promptSecret: () => Promise<string>;
}

export interface EngineModule {
  /** Null if the configuration lacks a required setting. */
  create(settings: EngineSettings, ports: EnginePorts): Promise<Engine | null>;
  /** Null if no embedding model is configured; absent for engines without models. */
  createEmbedder?(settings: EngineSettings, ports: Pick<EnginePorts, 'paces'>): Embedder | null;
  /** A client without cache, to test the endpoint. Null if none is configured; absent for engines without models. */
  openClient?(settings: EngineSettings, limits?: ClientLimits): ModelClient | null;
}

/** Shorter limits than the configured ones, in milliseconds. */
export interface ClientLimits {
  timeoutMs: number;
  inactivityMs: number;
}

export interface Embedder {
  /** Endpoint and model. Vectors of different names are not comparable. */
  readonly name: string;
  /** Returns one vector per text, in order, all of one length. Throws `EmbeddingFailedError` or the signal's reason. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<number[][]>;
}

export class EmbeddingFailedError extends Error {
  override readonly name = 'EmbeddingFailedError';
}

/** A step's output is invalid and was not repaired. The message names the first 3 problems. */
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
  kind: string;
  retryable: boolean;
  /** Null if unknown. */
  retryAfterMs: number | null;
  /** Such as `gpt-5 at api.example.com`. */
  askedOf: string;
  /** The endpoint's own words; empty if it gives none. */
  says: string;
}

export interface FailureNotes {
  spent: Usage;
  advice: FailureAdvice | null;
  failed?: FailedStep;
}

const notes = new WeakMap<object, FailureNotes>();

export function noteFailure(error: unknown, known: FailureNotes): void {
  if (isObject(error)) notes.set(error, known);
}

/** Null if nothing was noted for this error object. */
export function getFailureNotes(error: unknown): FailureNotes | null {
  return isObject(error) ? (notes.get(error) ?? null) : null;
}

/** `instanceof Error` fails for errors of another realm, as an aborted call throws in test runners. */
function isObject(error: unknown): error is object {
  return typeof error === 'object' && error !== null;
}
