import type { FetchLimits } from '../../src/sources/fetch-request';
import { createFetcher, type Fetcher, type FetcherOptions } from '../../src/sources/fetcher';

/** A fetcher in a web whose names are known here alone, and whose time passes when it is waited for. */
export interface TestWeb {
  fetcher: Fetcher;
  /** For how long it was waited, in milliseconds. */
  waits: readonly number[];
  /** The names that were looked up. */
  lookedUp: readonly string[];
}

interface TestWebOptions extends Pick<FetcherOptions, 'allow'> {
  names?: Readonly<Record<string, readonly string[] | (() => readonly string[])>>;
  limits?: Partial<FetchLimits>;
  paceMs?: number;
}

export function createTestWeb({ allow, names = {}, limits = {}, paceMs = 0 }: TestWebOptions): TestWeb {
  const waits: number[] = [];
  const lookedUp: string[] = [];
  let now = Date.parse('2026-11-26T12:00:00Z');
  const fetcher = createFetcher({
    userAgent: 'Colligate/test',
    allow,
    paceMs,
    limits,
    async resolve(name) {
      lookedUp.push(name);
      const answer = names[name];
      if (answer === undefined)
        throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
      return typeof answer === 'function' ? answer() : answer;
    },
    clock: {
      now: () => now,
      async wait(ms) {
        waits.push(ms);
        now += ms;
      },
    },
  });
  return { fetcher, waits, lookedUp };
}
