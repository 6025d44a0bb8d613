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

/** A call to a model that gave no answer. The message has neither key nor prompt nor answer in it. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly kind: ModelFailureKind;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** How long the endpoint asks to wait, 0 to 600,000; null where it does not say. */
  readonly retryAfterMs: number | null;
  /** The HTTP status, where there was one. */
  readonly status: number | null;
  /** The most tokens the model takes, where the endpoint says so. */
  readonly contextWindow: number | null;

  constructor(
    kind: ModelFailureKind,
    message: string,
    details: {
      retryable: boolean;
      retryAfterMs?: number | null;
      status?: number | null;
      contextWindow?: number | null;
    },
  ) {
    super(message);
    this.kind = kind;
    this.retryable = details.retryable;
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.status = details.status ?? null;
    this.contextWindow = details.contextWindow ?? null;
  }
}

export function asModelFailure(_error: unknown): ModelFailure {
  throw new Error('to come');
}
