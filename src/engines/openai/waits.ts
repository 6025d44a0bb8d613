const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Longer waits are mistakes of the endpoint. Quotas reset within a day, a few within a week. */
const LONGEST_WAIT_MS = 7 * 86_400_000;

const DURATION = String.raw`(?:\d{1,12}(?:\.\d+)?(?:ms|[smhd]))+`;

const WAIT_IN_TEXT = new RegExp(
  String.raw`(?:try again in|retry(?: again)? (?:in|after)|reset(?:s)? (?:in|after)|wait|retry_?(?:delay|after)(?:_?seconds)?\W{1,5})\s*` +
    String.raw`(${DURATION}|\d{1,9}(?:\.\d+)? ?(?:milliseconds?|seconds?|secs?|minutes?|mins?|hours?|days?)?)(?!\w)`,
  'i',
);

const DATE_IN_TEXT =
  /(?:reset|retry|again|until|available)[^.]{0,40}?(\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d:?\d\d))/i;

/**
 * How long an endpoint asks to wait, in milliseconds; null where its headers do not say. Dates count from the endpoint's own
 * clock, the `date` header; `nowMs` stands in where it sends none.
 */
export function retryAfterMs(headers: Headers, nowMs: number): number | null {
  const clockMs = httpDate(headers.get('date')) ?? nowMs;
  const wait =
    plainNumber(headers.get('retry-after-ms')) ??
    secondsOrDate(headers.get('retry-after'), clockMs) ??
    resetWait(headers, clockMs);
  return wait === null ? null : clamped(wait);
}

/** Google names the quota that is used up; its `retryDelay` is that of the quota of a minute. */
const GOOGLES_DAY = /quotaid\W+\w*perday/i;

/** The wait in a message or in an error's details: `try again in 6.2s`, `after 26 seconds`, `retryDelay: 17s`. */
export function retryAfterInText(text: string, nowMs: number): number | null {
  if (GOOGLES_DAY.test(text)) return untilMidnight('America/Los_Angeles', nowMs);
  const found = WAIT_IN_TEXT.exec(text)?.[1]?.toLowerCase();
  if (found !== undefined) {
    const [, amount, unit = ''] = /^([\d.]+) ?([a-z]*)$/.exec(found) ?? [];
    const unitMs = unit.startsWith('milli') ? 1 : (UNIT_MS[unit.charAt(0)] ?? 1000);
    return clamped(duration(found) ?? Number(amount) * unitMs);
  }
  const date = Date.parse(DATE_IN_TEXT.exec(text)?.[1]?.toUpperCase() ?? '');
  return Number.isNaN(date) ? null : clamped(date - nowMs);
}

function untilMidnight(timeZone: string, nowMs: number): number {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' }).format(nowMs);
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number);
  return 86_400_000 - ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

function clamped(waitMs: number): number {
  return Math.min(Math.max(Math.ceil(waitMs), 0), LONGEST_WAIT_MS);
}

/**
 * The longest reset of a limit that is used up. Where none is, that of the tokens, because a request needs many of them, or
 * one whose rest is not told.
 */
function resetWait(headers: Headers, clockMs: number): number | null {
  const resets = [...headers]
    .filter(([name]) => /ratelimit.*reset/.test(name))
    .map(([name, value]) => ({
      isOfTokens: name.includes('token'),
      left: plainNumber(headers.get(name.replace('reset', 'remaining'))),
      waitMs: resetTime(value, clockMs) ?? -1,
    }))
    .filter(({ waitMs }) => waitMs >= 0);
  const spent = resets.filter(({ left }) => left === 0);
  if (spent.length > 0) return Math.max(...spent.map(({ waitMs }) => waitMs));
  const likely = resets.find(({ isOfTokens }) => isOfTokens) ?? resets.find(({ left }) => left === null);
  return likely?.waitMs ?? null;
}

/** `1m30s`, `20ms`, seconds, seconds or milliseconds since 1970, or a date. */
function resetTime(text: string, clockMs: number): number | null {
  const value = plainNumber(text);
  if (value === null) return duration(text.trim()) ?? secondsOrDate(text, clockMs);
  if (value > 1e11) return value - clockMs;
  if (value > 1e8) return value * 1000 - clockMs;
  return value * 1000;
}

function secondsOrDate(text: string | null, clockMs: number): number | null {
  const seconds = plainNumber(text);
  if (seconds !== null) return seconds * 1000;
  const date = httpDate(text);
  return date === null ? null : date - clockMs;
}

function plainNumber(text: string | null): number | null {
  const trimmed = text?.trim() ?? '';
  return /^-?\d{1,15}(?:\.\d+)?$/.test(trimmed) ? Number(trimmed) : null;
}

/** HTTP's dates begin with the day's name, and ISO dates with the year. `Date.parse` accepts much more. */
function httpDate(text: string | null): number | null {
  const trimmed = text?.trim() ?? '';
  if (!/^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*[, ]|\d{4}-\d\d-\d\dT)/.test(trimmed)) return null;
  const time = Date.parse(trimmed);
  return Number.isNaN(time) ? null : time;
}

function duration(text: string): number | null {
  if (!new RegExp(`^${DURATION}$`).test(text)) return null;
  return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (UNIT_MS[unit ?? ''] ?? 0),
    0,
  );
}
