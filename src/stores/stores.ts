import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { StoredToken } from '../contracts/run';
import { tryParseJson } from '../lib/json';
import type { Secret } from '../lib/process';
import {
  type ContentStatistics,
  type ContentStore,
  digest,
  type ItemKind,
  packText,
  type RunItems,
  unpackText,
} from './content-store';
import type { EventLog } from './event-log';

export interface StorePorts {
  access: AccessStore;
  content: ContentStore;
  derived: DerivedStore;
  events: EventLog;
  responses: ResponseCache;
  secrets: SecretStore;
}

export interface Stores extends StorePorts {
  /** Writes a value and reads it back. Throws the error of the store that fails. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreSettings {
  dataDir: string;
  /** Library users may pass plain text; settings have a `Secret`. */
  redis: { url: Secret | string | null; keyPrefix: string; ttlMs: number };
}

export interface OpenedAdapter {
  items(kind: ItemKind): RunItems;
  measureTexts(): Promise<Omit<ContentStatistics, 'retrievals'>>;
  events: EventLog;
  leases: Leases;
  values: SharedValues;
  close(): Promise<void>;
}

/** Raised with every change to keys or values that older versions would misread. */
export const STORE_FORMAT = 2;

export interface OpenStoresOptions {
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** Keys name input and method, so that callers can compute absent values. Each run has its own copy. */
export interface DerivedStore {
  /** Absent keys are absent from the map. Gives `runId` a copy of the results. */
  get(runId: string, keys: readonly string[]): Promise<Map<string, Uint8Array>>;
  /** Resolves when all values are on disk; replaces existing ones. */
  put(runId: string, values: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** Gives the run a copy of existing values; resolves with the missing keys. */
  hold(runId: string, keys: readonly string[]): Promise<string[]>;
  clearRun(runId: string): Promise<number>;
}

export function openDerivedStore(items: RunItems): DerivedStore {
  async function hold(runId: string, keys: readonly string[]): Promise<string[]> {
    const absent = new Set(await items.hold(runId, keys.map(digest)));
    return [...new Set(keys)].filter((key) => absent.has(digest(key)));
  }
  return {
    hold,
    async get(runId, keys) {
      await hold(runId, keys);
      const found = await items.read(keys.map(digest));
      return new Map(
        keys.flatMap((key) => {
          const value = found.get(digest(key));
          return value === undefined ? [] : [[key, Uint8Array.from(value)] as const];
        }),
      );
    },
    async put(runId, values) {
      await items.put(
        runId,
        Array.from(values, ([key, value]) => [digest(key), value] as const),
      );
    },
    clearRun: (runId) => items.clearRun(runId),
  };
}

export interface CachedResponse {
  body: string;
  storedAt: string;
}

/** The right to ask a model, so that concurrent identical calls wait for one. */
export interface Leases {
  /** True if `owner` has the lease now. It ends after `ttlMs` unless another call renews it. */
  acquireLease(key: string, owner: string, ttlMs: number): Promise<boolean>;
  /** Does nothing if another owner has the lease. */
  releaseLease(key: string, owner: string): Promise<void>;
}

/** Caches paid responses by the hash of the request. */
export interface ResponseCache extends Leases {
  /** Null if there is none or it has expired. Gives `runId` a copy of the result. */
  get(runId: string, key: string): Promise<CachedResponse | null>;
  /** Resolves when the response is on disk. */
  put(runId: string, key: string, body: string, options: { ttlMs: number }): Promise<void>;
  clearRun(runId: string): Promise<number>;
}

/** Times are milliseconds since 1970. */
const CacheEntry = z.object({ storedAt: z.number(), expiresAt: z.number(), body: z.string() });

export function openResponseCache(items: RunItems, leases: Leases, now: () => number): ResponseCache {
  return {
    ...leases,
    async get(runId, key) {
      const name = digest(key);
      await items.hold(runId, [name]);
      const packed = (await items.read([name])).get(name);
      // An entry that does not parse is absent, and is paid for again.
      const text = packed === undefined ? '' : await unpackText(packed).catch(() => '');
      const entry = CacheEntry.safeParse(tryParseJson(text)).data;
      if (entry === undefined || entry.expiresAt <= now()) return null;
      return { body: entry.body, storedAt: new Date(entry.storedAt).toISOString() };
    },
    async put(runId, key, body, { ttlMs }) {
      const entry: z.infer<typeof CacheEntry> = { storedAt: now(), expiresAt: now() + ttlMs, body };
      await items.put(runId, [[digest(key), await packText(JSON.stringify(entry))]]);
    },
    clearRun: (runId) => items.clearRun(runId),
  };
}

/** Access tokens for the network, shared by all processes on a store. */
export interface AccessStore {
  tokens(): Promise<readonly StoredToken[]>;
  /** Stores the result of `change`, which is called again if another process was faster. */
  change(change: (tokens: readonly StoredToken[]) => readonly StoredToken[]): Promise<void>;
}

const ACCESS_TOKENS_NAME = 'access-tokens';
const Tokens = z.array(StoredToken);

/** All tokens are one value, so that a revocation reaches everybody at once. */
export function openAccessStore(values: SharedValues): AccessStore {
  const stored = (): Promise<string> => values.exchange(ACCESS_TOKENS_NAME, null, '[]');
  return {
    tokens: async () => Tokens.parse(JSON.parse(await stored())),
    async change(change) {
      for (let seen = await stored(); ;) {
        const wanted = JSON.stringify(change(Tokens.parse(JSON.parse(seen))));
        const found = await values.exchange(ACCESS_TOKENS_NAME, seen, wanted);
        if (found === wanted) return;
        seen = found;
      }
    },
  };
}

/** Single values of an installation, without a time to live. */
export interface SharedValues {
  /** Stores `made` if the stored value is `seen` or absent; resolves with the stored value. */
  exchange(name: string, seen: string | null, made: string): Promise<string>;
}

/** Shared by all processes on a store; each is made at its first use. */
interface SecretStore {
  /** No author of a source can guess it. All processes share it, so that equal questions give equal prompts. */
  promptSecret(): Promise<string>;
}

const SECRET_BYTES = 32;

export function openSecretStore(values: SharedValues): SecretStore {
  return {
    promptSecret: () => values.exchange('prompt-secret', null, randomBytes(SECRET_BYTES).toString('hex')),
  };
}
