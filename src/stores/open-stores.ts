import { createDamageWarnings } from './damage-warnings';
import type { KeptPorts } from './kept-ports';
import { sealedDerivedStore } from './sealed-derived-store';
import { sealedResponseCache } from './sealed-response-cache';
import { sealedSecretStore } from './sealed-secret-store';
import type { OpenStoresOptions, StoreAdapter, StoreSettings } from './store-adapter';
import { type GeneralStoreKind, STORE_PORTS, type StoreKind, type StorePort } from './store-kinds';
import type { OpenedStore, Ports, Stores } from './stores';

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
