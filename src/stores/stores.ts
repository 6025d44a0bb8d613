import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { KeptToken } from '../contracts/run';
import { parsedJson } from '../lib/json';
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

export interface Ports {
  access: AccessStore;
  content: ContentStore;
  derived: DerivedStore;
  events: EventLog;
  responses: ResponseCache;
  secrets: SecretStore;
}

export interface Stores extends Ports {
  /** Writes a value and reads it back. Throws the error of the store that fails. */
  probe(): Promise<void>;
  /** Waits for writes under way; what comes later is refused. */
  close(): Promise<void>;
}

export interface StoreSettings {
  dataDir: string;
  /** An address as text is for users of the library: settings have it hidden. */
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

/** Raised with every change to the layout of keys or values that older versions would misread. */
export const STORE_FORMAT = 2;

export interface OpenStoresOptions {
  /** Milliseconds since 1970. */
  now?: () => number;
}

/**
 * Keeps computed values under a key that names their input and how they were computed, so that they are computed once. A caller
 * that finds a key absent computes the value anew. Each run has its own copy of what it uses.
 */
export interface DerivedStore {
  /** What is there of the keys; an absent key is absent from the map. Gives `runId` a copy of what it returns. */
  get(runId: string, keys: readonly string[]): Promise<Map<string, Uint8Array>>;
  /** Resolves when all values are on disk; they replace what was there. */
  put(runId: string, values: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** Gives the run a copy of what is there of the keys; resolves with those that are not. */
  hold(runId: string, keys: readonly string[]): Promise<string[]>;
  /** Deletes the run's values; resolves with how many it had. */
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

/** Who may come in over the network, for all processes that share a store. */
export interface AccessStore {
  tokens(): Promise<readonly KeptToken[]>;
  /** Keeps what `change` makes of what is there; it is called again where another process was quicker. */
  change(change: (tokens: readonly KeptToken[]) => readonly KeptToken[]): Promise<void>;
}

const NAME = 'access-tokens';
const Tokens = z.array(KeptToken);

/** All tokens are one value, which is exchanged as a whole: a revoked one is gone for everybody at once. */
export function openAccessStore(values: SharedValues): AccessStore {
  const stored = (): Promise<string> => values.exchange(NAME, null, '[]');
  return {
    tokens: async () => Tokens.parse(JSON.parse(await stored())),
    async change(change) {
      for (let seen = await stored(); ;) {
        const wanted = JSON.stringify(change(Tokens.parse(JSON.parse(seen))));
        const found = await values.exchange(NAME, seen, wanted);
        if (found === wanted) return;
        seen = found;
      }
    },
  };
}

/** Single values of an installation, which have no time to live. */
export interface SharedValues {
  /** Puts `made` where the stored value is `seen`, or where there is none for null; resolves with what is stored then. */
  exchange(name: string, seen: string | null, made: string): Promise<string>;
}

/** Secrets that all who share a store have in common. Each is made at its first use. */
interface SecretStore {
  /**
   * The secret in the marks around sources, which nobody who writes a source can guess. It is the same for every process
   * that shares the responses, so that the same question to a model is the same for each.
   */
  promptSecret(): Promise<string>;
}

const SECRET_BYTES = 32;

export function openSecretStore(values: SharedValues): SecretStore {
  return {
    promptSecret: () => values.exchange('prompt-secret', null, randomBytes(SECRET_BYTES).toString('hex')),
  };
}
