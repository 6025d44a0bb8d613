const MAX_WAIT_MS = 600_000;

const COUNTED = ['requests', 'tokens'] as const;

const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * How long an endpoint asks to wait, 0 to 600,000 milliseconds; null where it does not say. Its own clock (the `date`
 * header) is what its dates are held against; `nowMs` stands in where it sends none.
 */
export function retryAfterMs(headers: Headers, nowMs: number): number | null {
  const wait =
    plainNumber(headers.get('retry-after-ms')) ??
    secondsOrDate(headers.get('retry-after'), serverClock(headers, nowMs)) ??
    reset(headers, serverClock(headers, nowMs));
  return wait === null ? null : clamped(wait);
}

/** The wait that a message or an error's details name: `try again in 6.2s`, `"retryDelay": "17s"`. */
export function retryAfterInText(text: string): number | null {
  const found =
    /(?:try again in|retry(?: again)? (?:in|after)|retryDelay\W{1,5})\s*((?:\d+(?:\.\d+)?(?:ms|[smhd]))+)/i.exec(
      text,
    );
  const wait = found?.[1] === undefined ? null : duration(found[1]);
  return wait === null ? null : clamped(wait);
}

function clamped(waitMs: number): number {
  return Math.min(Math.max(Math.ceil(waitMs), 0), MAX_WAIT_MS);
}

function serverClock(headers: Headers, nowMs: number): number {
  return httpDate(headers.get('date')) ?? nowMs;
}

function plainNumber(text: string | null): number | null {
  const trimmed = text?.trim() ?? '';
  return /^-?\d{1,15}(?:\.\d+)?$/.test(trimmed) ? Number(trimmed) : null;
}

/** Every form of a date in HTTP begins with the day's name, and ISO dates with the year; `Date.parse` takes much more. */
function httpDate(text: string | null): number | null {
  const trimmed = text?.trim() ?? '';
  if (
    !/^(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?[, ]|\d{4}-\d\d-\d\dT)/.test(trimmed)
  ) {
    return null;
  }
  const time = Date.parse(trimmed);
  return Number.isNaN(time) ? null : time;
}

function secondsOrDate(text: string | null, clockMs: number): number | null {
  const seconds = plainNumber(text);
  if (seconds !== null) return seconds * 1000;
  const date = httpDate(text);
  return date === null ? null : date - clockMs;
}

/** Of requests and tokens, the one that has run out; where neither has, tokens, because a request wants many of them. */
function reset(headers: Headers, clockMs: number): number | null {
  const waits = COUNTED.map((counted) => ({
    remaining: plainNumber(headers.get(`x-ratelimit-remaining-${counted}`)),
    waitMs: resetTime(headers.get(`x-ratelimit-reset-${counted}`), clockMs),
  })).filter((wait) => wait.waitMs !== null);
  const spent = waits.filter((wait) => wait.remaining === 0);
  const chosen = spent.length > 0 ? Math.max(...spent.map((wait) => wait.waitMs ?? 0)) : waits.at(-1)?.waitMs;
  return chosen ?? resetTime(headers.get('x-ratelimit-reset'), clockMs);
}

/** `1m30s`, `20ms`, seconds, seconds or milliseconds since 1970, or a date. */
function resetTime(text: string | null, clockMs: number): number | null {
  if (text === null) return null;
  const value = plainNumber(text);
  if (value === null) return duration(text.trim()) ?? secondsOrDate(text, clockMs);
  if (value > 1e11) return value - clockMs;
  if (value > 1e8) return value * 1000 - clockMs;
  return value * 1000;
}

function duration(text: string): number | null {
  if (!/^(?:\d{1,12}(?:\.\d+)?(?:ms|[smhd]))+$/.test(text)) return null;
  return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (UNIT_MS[unit ?? ''] ?? 0),
    0,
  );
}
