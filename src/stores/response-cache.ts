import { z } from 'zod';
import { parsedJson } from '../core/values/parsed-json';
import { digest } from './digest';
import { packText, unpackText } from './packed-text';
import type { RunItems } from './run-items';

/** A model's complete raw response, before any parsing. */
export interface CachedResponse {
  body: string;
  storedAt: string;
}

/** The right to ask a model, so that concurrent identical calls wait for one. */
export interface Leases {
  /** True where `owner` now has the right to ask; it ends after `ttlMs` unless renewed by calling again. */
  acquireLease(key: string, owner: string, ttlMs: number): Promise<boolean>;
  /** Ends the lease where `owner` still has it. */
  releaseLease(key: string, owner: string): Promise<void>;
}

/** Keeps paid-for responses under the hash of the request. */
export interface ResponseCache extends Leases {
  /** The response, or null where there is none or its time to live is over. Gives `runId` a copy of what it returns. */
  get(runId: string, key: string): Promise<CachedResponse | null>;
  /** Resolves when the response is on disk. */
  put(runId: string, key: string, body: string, options: { ttlMs: number }): Promise<void>;
  /** Deletes the run's responses; resolves with how many it had. */
  clearRun(runId: string): Promise<number>;
}

/** Times are milliseconds since 1970. */
const Entry = z.object({ storedAt: z.number(), expiresAt: z.number(), body: z.string() });

export function openResponseCache(items: RunItems, leases: Leases, now: () => number): ResponseCache {
  return {
    ...leases,
    async get(runId, key) {
      const name = digest(key);
      await items.hold(runId, [name]);
      const packed = (await items.read([name])).get(name);
      // An entry that does not parse is absent, and is paid for again.
      const text = packed === undefined ? '' : await unpackText(packed).catch(() => '');
      const entry = Entry.safeParse(parsedJson(text)).data;
      if (entry === undefined || entry.expiresAt <= now()) return null;
      return { body: entry.body, storedAt: new Date(entry.storedAt).toISOString() };
    },
    async put(runId, key, body, { ttlMs }) {
      const entry: z.infer<typeof Entry> = { storedAt: now(), expiresAt: now() + ttlMs, body };
      await items.put(runId, [[digest(key), await packText(JSON.stringify(entry))]]);
    },
    clearRun: (runId) => items.clearRun(runId),
  };
}
