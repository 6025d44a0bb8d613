import { openStores } from '../../src/stores/open-stores';
import type { OpenStoresOptions, Stores } from '../../src/stores/stores';

/** The stores in files of a folder, as every command opens them. */
export function openLmdbStores(dataDir: string, options?: OpenStoresOptions): Promise<Stores> {
  return openStores({ stores: 'lmdb', dataDir }, options);
}
