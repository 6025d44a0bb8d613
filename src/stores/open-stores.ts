import { sealedAccessStore } from './sealed-access-store';
import { createDamageWarnings, type TellDamage } from './damage-warnings';
import type { KeptPorts, KeptSecrets, KeptResponses } from './kept-ports';
import type { OpenStoresOptions, StoreAdapter, StoreSettings } from './store-adapter';
import { type GeneralStoreKind, STORE_PORTS, type StoreKind, type StorePort } from './store-kinds';
import type { OpenedStore, Ports, Stores } from './stores';
import { randomBytes } from 'node:crypto';
import { entryName, sealed, unsealed } from './seal';
import type { SecretStore } from './secret-store';
import type { DerivedStore } from './derived-store';
import { packText, unpackText } from './packed-text';
import type { CachedResponse, ResponseCache } from './response-cache';

/** The registry of adapters. Each is loaded when it is chosen: a command that stores nothing loads no native library. */
const adapters = {
  lmdb: async (): Promise<StoreAdapter> => (await import('./lmdb/open-lmdb.js')).lmdbAdapter,
  redis: async (): Promise<StoreAdapter> => (await import('./redis/open-redis.js')).redisAdapter,
  postgres: async (): Promise<StoreAdapter<'content' | 'derived'>> =>
    (await import('./postgres/open-postgres.js')).postgresAdapter,
} satisfies Record<StoreKind, () => Promise<StoreAdapter<'content' | 'derived'>>>;

/** Which stores, and where. `stores` keeps what `portStores` does not give to another. */
export type ChosenStores = Pick<StoreSettings, 'dataDir'> &
  Partial<StoreSettings> & {
    stores: GeneralStoreKind;
    portStores?: Partial<Record<StorePort, StoreKind | null>>;
  };

const NO_SERVERS: Pick<StoreSettings, 'redis' | 'postgres'> = {
  redis: { url: null, keyPrefix: 'colligate', ttlMs: 90 * 86_400_000 },
  postgres: { url: null, schema: 'colligate' },
};

/** Opens the stores that the configuration names; see `StoreAdapter.open`. Nothing stays open where one cannot be. */
export async function openStores(chosen: ChosenStores, given: OpenStoresOptions = {}): Promise<Stores> {
  const settings = { ...NO_SERVERS, ...chosen };
  const options = { warn: warnOfProcess, ...given };
  const general = await (await adapters[chosen.stores]()).open(settings, options);
  const opened: OpenedStore[] = [general];
  try {
    const ports: KeptPorts = { ...general };
    const others = new Set(kindsOf(chosen).filter((kind) => kind !== chosen.stores));
    for (const kind of others) {
      const store = await (await adapters[kind]()).open(settings, options);
      opened.push(store);
      for (const port of STORE_PORTS) {
        if (chosen.portStores?.[port] !== kind) continue;
        Object.assign(ports, pick(store, port));
        // Whoever shares the answers asks the same questions, of the same endpoint.
        if (port === 'responses') Object.assign(ports, pick(store, 'secrets'), pick(store, 'limits'));
      }
    }
    return {
      ...withSeals(ports, options),
      async examine() {
        return (await Promise.all(opened.map((store) => store.examine()))).flat();
      },
      close: () => closeAll(opened),
    };
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

function warnOfProcess(message: string): void {
  process.emitWarning(message, 'StoreWarning');
}

/** The ports over what adapters keep: what stands under a key that is not its own hash is sealed, in whichever store it is. */
function withSeals(kept: KeptPorts, { now = Date.now, warn = warnOfProcess }: OpenStoresOptions): Ports {
  const { content, events, limits } = kept;
  const tell = createDamageWarnings(events, warn);
  return {
    content,
    events,
    limits,
    access: sealedAccessStore(kept.secrets),
    derived: sealedDerivedStore(kept.derived, tell),
    responses: sealedResponseCache(kept.responses, { tell, now }),
    secrets: sealedSecretStore(kept.secrets, tell),
  };
}

/** Whether the stores that the configuration names have been made. */
export async function storesExist(chosen: ChosenStores): Promise<boolean> {
  const settings = { ...NO_SERVERS, ...chosen };
  for (const kind of kindsOf(chosen)) {
    if (!(await (await adapters[kind]()).exist(settings))) return false;
  }
  return true;
}

function kindsOf({ stores, portStores = {} }: ChosenStores): StoreKind[] {
  return [...new Set([stores, ...STORE_PORTS.map((port) => portStores[port] ?? stores)])];
}

/** The port of a store, where it keeps that. */
function pick(store: Partial<KeptPorts>, port: keyof KeptPorts): Partial<KeptPorts> {
  return { [port]: store[port] };
}

/** All are closed, whatever comes of the first; then the first failure is thrown. */
async function closeAll(opened: readonly OpenedStore[]): Promise<void> {
  const results = await Promise.allSettled(opened.map((store) => store.close()));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

const SECRET_BYTES = 32;
const PROMPT_SECRET = 'prompt-secret';

/** Secrets over a store that keeps bytes: one that is not whole is made anew, which costs what was asked with it. */
function sealedSecretStore(kept: KeptSecrets, tell: TellDamage): SecretStore {
  return {
    async promptSecret() {
      const made = sealed('secret', PROMPT_SECRET, randomBytes(SECRET_BYTES));
      const damaged: Uint8Array[] = [];
      const envelope = await kept.settle(entryName(PROMPT_SECRET), made, (found) => {
        const isWhole = unsealed('secret', PROMPT_SECRET, found) !== null;
        if (!isWhole) damaged.push(found);
        return isWhole;
      });
      if (damaged.length > 0) await tell({ kind: 'secret', keys: [PROMPT_SECRET], runId: null });
      return Buffer.from(unsealed('secret', PROMPT_SECRET, envelope) ?? made).toString('hex');
    },
  };
}

/** The store over one that keeps bytes: what is there and is not what was put there counts as absent. */
function sealedDerivedStore(kept: DerivedStore, tell: TellDamage): DerivedStore {
  return {
    async get(runId, keys) {
      const wanted = new Set(keys);
      const envelopes = await kept.get(runId, [...wanted].map(entryName));
      const values = new Map<string, Uint8Array>();
      const damaged: string[] = [];
      for (const key of wanted) {
        const envelope = envelopes.get(entryName(key));
        if (envelope === undefined) continue;
        const value = unsealed('derived', key, envelope);
        if (value === null) damaged.push(key);
        else values.set(key, value);
      }
      if (damaged.length > 0) await tell({ kind: 'derived', keys: damaged, runId });
      return values;
    },
    async put(runId, values) {
      const envelopes = Array.from(
        values,
        ([key, value]) => [entryName(key), sealed('derived', key, value)] as const,
      );
      await kept.put(runId, new Map(envelopes));
    },
    async hold(runId, keys) {
      const absent = new Set(await kept.hold(runId, keys.map(entryName)));
      return [...new Set(keys)].filter((key) => absent.has(entryName(key)));
    },
    clearRun: (runId) => kept.clearRun(runId),
  };
}

/** Before the packed text stands when it was stored, in milliseconds since 1970, as a double (little-endian). */
const TIME_BYTES = 8;

/** The cache over one that keeps bytes: what is there and is not what was put there counts as absent. */
function sealedResponseCache(
  kept: KeptResponses,
  { tell, now }: { tell: TellDamage; now: () => number },
): ResponseCache {
  return {
    async get(runId, key) {
      const envelope = await kept.get(runId, entryName(key));
      if (envelope === null) return null;
      const value = unsealed('response', key, envelope);
      if (value !== null) return responseIn(value);
      await tell({ kind: 'response', keys: [key], runId });
      return null;
    },
    async put(runId, key, body, options) {
      const time = Buffer.alloc(TIME_BYTES);
      time.writeDoubleLE(now());
      const value = Buffer.concat([time, await packText(body)]);
      await kept.put(runId, entryName(key), sealed('response', key, value), options);
    },
    // What a lease holds is worth nothing later: adapters look at it themselves.
    acquireLease: (key, owner, ttlMs) => kept.acquireLease(key, owner, ttlMs),
    releaseLease: (key, owner) => kept.releaseLease(key, owner),
    clearRun: (runId) => kept.clearRun(runId),
  };
}

async function responseIn(value: Uint8Array): Promise<CachedResponse> {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return {
    body: await unpackText(bytes.subarray(TIME_BYTES)),
    storedAt: new Date(bytes.readDoubleLE()).toISOString(),
  };
}
