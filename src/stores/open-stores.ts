import type { OpenStoresOptions, StoreAdapter, StoreSettings } from './store-adapter';
import type { Stores } from './stores';

/** The registry of adapters. Each is loaded when it is chosen: a command that stores nothing loads no native library. */
const adapters = {
  lmdb: async (): Promise<StoreAdapter> => (await import('./lmdb/open-lmdb.js')).lmdbAdapter,
};

export type StoreKind = keyof typeof adapters;

/** `Object.keys` forgets that it knows the keys of a constant. */
export const storeKinds = Object.keys(adapters) as [StoreKind, ...StoreKind[]];

/** Which stores, and where. */
export type ChosenStores = StoreSettings & { stores: StoreKind };

/** Opens the stores that the configuration names; see `StoreAdapter.open`. */
export async function openStores(chosen: ChosenStores, options?: OpenStoresOptions): Promise<Stores> {
  const adapter = await adapters[chosen.stores]();
  return adapter.open(chosen, options);
}

/** Whether the stores that the configuration names have been made. */
export async function storesExist(chosen: ChosenStores): Promise<boolean> {
  const adapter = await adapters[chosen.stores]();
  return adapter.exist(chosen);
}
