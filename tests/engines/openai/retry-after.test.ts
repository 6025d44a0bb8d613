import { retryAfterInText, retryAfterMs } from '../../../src/engines/openai/retry-after';

const NOW = Date.UTC(2026, 0, 5, 12, 0, 0);

function wait(headers: Record<string, string>): number | null {
  return retryAfterMs(new Headers(headers), NOW);
}

/** So many requests until their reset, and a hundred tokens until theirs, in two seconds. */
const left = (requests: string, reset: string): Record<string, string> => ({
  'x-ratelimit-remaining-requests': requests,
  'x-ratelimit-reset-requests': reset,
  'x-ratelimit-remaining-tokens': '100',
  'x-ratelimit-reset-tokens': '2s',
});

describe('The time that an endpoint asks to wait', () => {
  it.each<[string, Record<string, string>, number | null]>([
    ['milliseconds', { 'retry-after-ms': '1500' }, 1500],
    ['milliseconds before seconds', { 'retry-after-ms': '0', 'retry-after': '9' }, 0],
    ['seconds', { 'retry-after': '12' }, 12_000],
    ['parts of seconds', { 'retry-after': '0.25' }, 250],
    ['less than a millisecond', { 'retry-after-ms': '0.2' }, 1],
    ['no time', { 'retry-after': '0' }, 0],
    ['negative seconds', { 'retry-after': '-5' }, 0],
    ['too long', { 'retry-after': '86400' }, 600_000],
    ['a date', { 'retry-after': 'Mon, 05 Jan 2026 12:00:30 GMT' }, 30_000],
    ['a date of the past', { 'retry-after': 'Mon, 05 Jan 2026 11:00:30 GMT' }, 0],
    ['a date far off', { 'retry-after': 'Tue, 05 Jan 2027 12:00:30 GMT' }, 600_000],
    ['a date in the oldest form', { 'retry-after': 'Monday, 05-Jan-26 12:00:30 GMT' }, 30_000],
    [
      'a date by the server’s own clock',
      { date: 'Mon, 05 Jan 2026 13:00:00 GMT', 'retry-after': 'Mon, 05 Jan 2026 13:00:05 GMT' },
      5_000,
    ],
    ['a reset in units', { 'x-ratelimit-reset-requests': '1m30s' }, 90_000],
    ['a reset in milliseconds', { 'x-ratelimit-reset-tokens': '20ms' }, 20],
    ['a reset in hours', { 'x-ratelimit-reset-tokens': '1h0m0.5s' }, 600_000],
    ['a reset in seconds', { 'x-ratelimit-reset': '8' }, 8_000],
    ['a reset at a second', { 'x-ratelimit-reset': String(NOW / 1000 + 4) }, 4_000],
    ['a reset at a millisecond', { 'x-ratelimit-reset': String(NOW + 4_000) }, 4_000],
    ['a reset at a date', { 'x-ratelimit-reset': '2026-01-05T12:00:03Z' }, 3_000],
    ['the reset of what is used up', left('0', '40s'), 40_000],
    ['the reset of tokens, where neither is quite used up', left('3', '8h0m'), 2_000],
    ['nothing', {}, null],
    ['a word', { 'retry-after': 'soon' }, null],
    ['a word and then a reset', { 'retry-after': 'May', 'x-ratelimit-reset': '3' }, 3_000],
    ['a number without end', { 'retry-after': '9'.repeat(400) }, null],
    ['no number', { 'retry-after-ms': 'NaN', 'x-ratelimit-reset': '' }, null],
  ])('may be %s', (_name, headers, expected) => {
    expect(wait(headers)).toBe(expected);
  });

  it.each([
    ['Rate limit reached. Please try again in 6.2s.', 6_200],
    ['Please try again in 20ms. Visit the site', 20],
    ['please retry after 1m5s', 65_000],
    ['retryDelay: 17s', 17_000],
    ['try again in a moment', null],
    ['try again later', null],
    ['', null],
  ])('may stand in a sentence: %s', (text, expected) => {
    expect(retryAfterInText(text)).toBe(expected);
  });
});
