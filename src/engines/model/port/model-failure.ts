import type { Interruption } from './model-client';

export type ModelFailureKind =
  | 'unreachable'
  | 'timeout'
  | 'rate-limited'
  | 'overloaded'
  | 'server-error'
  | 'quota-exceeded'
  | 'wrong-key'
  | 'unknown-model'
  | 'context-length'
  | 'content-filter'
  | 'schema-rejected'
  | 'bad-request'
  | 'malformed-response';

const RETRYABLE: readonly ModelFailureKind[] = [
  'unreachable',
  'timeout',
  'rate-limited',
  'overloaded',
  'server-error',
  'malformed-response',
];

export function mayPass(kind: ModelFailureKind): boolean {
  return RETRYABLE.includes(kind);
}

/** A call to a model that gave no answer. The message has neither key nor prompt nor answer in it. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly kind: ModelFailureKind;
  readonly retryable: boolean;
  /** How long the endpoint asks to wait in milliseconds, at most 7 days: quotas reset once a day. Null where it does not say. */
  readonly retryAfterMs: number | null;
  readonly status: number | null;
  /** The endpoint's own words, fit to be shown; empty where it has none. */
  readonly says: string;
  /** The most tokens the model takes, where the endpoint says so. */
  readonly contextWindow: number | null;
  /** What broke an answer off, and what of it had come; null where none was under way. */
  readonly interrupted: { by: Interruption; text: string } | null;

  constructor(
    kind: ModelFailureKind,
    message: string,
    details: {
      /** Where it is not what such failures usually are. */
      retryable?: boolean;
      retryAfterMs?: number | null;
      status?: number | null;
      says?: string;
      contextWindow?: number | null;
      interrupted?: { by: Interruption; text: string } | null;
    } = {},
  ) {
    super(message);
    this.kind = kind;
    this.retryable = details.retryable ?? mayPass(kind);
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.status = details.status ?? null;
    this.says = details.says ?? '';
    this.contextWindow = details.contextWindow ?? null;
    this.interrupted = details.interrupted ?? null;
  }

  /** Whether the request had its tries and is too large for the time there is: what is smaller may be answered. */
  get isTooSlow(): boolean {
    return this.kind === 'timeout' && !this.retryable;
  }

  after(by: Interruption, text: string): ModelFailure {
    const { retryable, retryAfterMs, status, says, contextWindow } = this;
    const details = { retryable, retryAfterMs, status, says, contextWindow, interrupted: { by, text } };
    return new ModelFailure(this.kind, this.message, details);
  }
}
