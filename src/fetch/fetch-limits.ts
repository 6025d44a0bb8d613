/** What one page may take. Times in milliseconds, each from the event before it. */
export interface FetchLimits {
  connectMs: number;
  /** From the request to the last header of the answer. */
  headersMs: number;
  /** Between two parts of the body. */
  idleMs: number;
  /** For one answer, from the request to its last byte: who sends a byte a second is never idle. */
  answerMs: number;
  headerBytes: number;
  /** As sent, and as decoded: a small body can inflate to anything. */
  bodyBytes: number;
  redirects: number;
  /** The longest `Retry-After` or `Crawl-delay` that is waited for. */
  waitMs: number;
  /** How often a server may ask to come back later. */
  waits: number;
}

export const FETCH_LIMITS: FetchLimits = {
  connectMs: 10_000,
  headersMs: 20_000,
  idleMs: 20_000,
  answerMs: 120_000,
  headerBytes: 32_768,
  bodyBytes: 64 * 1024 * 1024,
  redirects: 5,
  waitMs: 30_000,
  waits: 2,
};
