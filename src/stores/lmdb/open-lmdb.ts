import { existsSync } from 'node:fs';
import { diskReason } from '../../platform/disk-reason';
import type { OpenStoresOptions, StoreAdapter } from '../store-adapter';
import type { KeptPorts } from '../kept-ports';
import type { OpenedStore, StoreFinding } from '../stores';
import { openContentStore } from './content-store';
import { openDerivedStore } from './derived-store';
import { environmentPath, openEnvironment, type StoreEnvironment } from './environment';
import { openEventLog } from './event-log';
import { openResponseCache } from './response-cache';
import { openSecrets } from './secrets';
import { openSharedLimits } from './shared-limits';
import { checkStoreFormat } from './store-format';

/** Stores in files of the data folder. */
export const lmdbAdapter: StoreAdapter = {
  open: ({ dataDir }, options) => openLmdb(dataDir, options),
  exist: async ({ dataDir }) => existsSync(environmentPath(dataDir)),
};

/**
 * Opens the stores in `<dataDir>/store`, and makes them where there are none. Several processes may have them open at
 * once, on a local disk; never on a network file system. Rejects with `StoreOpenError`, or with `StoreFormatError` where
 * another version of Colligate wrote them.
 */
export async function openLmdb(
  dataDir: string,
  { now = Date.now }: OpenStoresOptions = {},
): Promise<KeptPorts & OpenedStore> {
  const environment = openEnvironment(dataDir);
  try {
    await checkStoreFormat(environment);
    return {
      content: openContentStore(environment),
      derived: openDerivedStore(environment),
      events: openEventLog(environment, now),
      responses: openResponseCache(environment, now),
      secrets: openSecrets(environment),
      limits: openSharedLimits(environment, now),
      examine: async () => findingsOf(environment),
      close: () => environment.close(),
    };
  } catch (error) {
    await environment.close();
    throw error;
  }
}

/** A disk keeps what was flushed to it; nothing can be done where nothing can be written. */
function findingsOf({ path, readOnlyFor }: StoreEnvironment): StoreFinding[] {
  if (readOnlyFor === null) return [];
  const message = `${path} can only be read (${diskReason(readOnlyFor)}). Let this user write to it, or use another data folder.`;
  return [{ level: 'error', message }];
}
