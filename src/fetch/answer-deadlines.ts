import { FetchError } from './fetch-error';
import type { FetchLimits } from './fetch-limits';

export interface AnswerDeadlines {
  /** Aborts with a `FetchError`, or with the caller's reason. */
  signal: AbortSignal;
  /** Headers or a part of the body have come. */
  progressed(): void;
  end(): void;
}

export function startDeadlines(
  url: URL,
  { connectMs, headersMs, idleMs, answerMs }: FetchLimits,
  signal: AbortSignal | undefined,
): AnswerDeadlines {
  const ended = new AbortController();
  const tooSlow = (what: string, ms: number): NodeJS.Timeout =>
    setTimeout(
      () =>
        ended.abort(
          new FetchError('too-slow', url, `${what} within ${ms / 1_000} seconds; try again later`, true),
        ),
      ms,
    );
  const whole = tooSlow('it was not sent whole', answerMs);
  let next = tooSlow('it sent no headers', connectMs + headersMs);
  return {
    signal: signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]),
    progressed() {
      clearTimeout(next);
      next = tooSlow('it sent nothing further', idleMs);
    },
    end() {
      clearTimeout(whole);
      clearTimeout(next);
    },
  };
}
