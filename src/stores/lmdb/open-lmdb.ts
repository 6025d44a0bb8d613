import { existsSync } from 'node:fs';
import { packedTextLength } from '../packed-text';
import { digest } from '../digest';
import { StoreFormatError } from '../errors';
import type { Leases } from '../response-cache';
import type { SharedValues } from '../secret-store';
import { STORE_FORMAT, type OpenedAdapter, type OpenStoresOptions } from '../stores';
import { environmentPath, openEnvironment, type StoreEnvironment } from './environment';
import { openEventLog } from './event-log';
import { openRunItems } from './run-items';

export function lmdbExists(dataDir: string): boolean {
  return existsSync(environmentPath(dataDir));
}

/**
 * Opens the stores in `<dataDir>/store`, and makes them where there are none. Several processes may have them open at
 * once, on a local disk; never on a network file system.
 */
export async function openLmdb(
  dataDir: string,
  { now = Date.now }: OpenStoresOptions = {},
): Promise<OpenedAdapter> {
  const environment = openEnvironment(dataDir);
  try {
    await checkStoreFormat(environment);
    return {
      items: (kind) => openRunItems(environment, kind),
      measureTexts: async () => measureTexts(environment),
      events: openEventLog(environment, now),
      leases: openLeases(environment, now),
      values: openSharedValues(environment),
      close: () => environment.close(),
    };
  } catch (error) {
    await environment.close();
    throw error;
  }
}

/** Marks a new store with the format, and refuses a store of another one before anything in it is touched. */
async function checkStoreFormat(environment: StoreEnvironment): Promise<void> {
  const about = environment.table<unknown>('about');
  const found = await environment.write(() => {
    const existing = about.get('format');
    if (existing === undefined) void about.put('format', STORE_FORMAT);
    return existing ?? STORE_FORMAT;
  });
  if (found !== STORE_FORMAT) throw new StoreFormatError(environment.path, found, STORE_FORMAT);
}

function measureTexts(environment: StoreEnvironment): { artifacts: number; totalChars: number } {
  const texts = environment.binaryTable('content');
  let artifacts = 0;
  let totalChars = 0;
  let last = '';
  environment.read(() => {
    for (const { key, value } of texts.getRange()) {
      const [ref = ''] = key.split('/', 1);
      if (ref === last) continue;
      last = ref;
      artifacts += 1;
      totalChars += packedTextLength(value);
    }
  });
  return { artifacts, totalChars };
}

function openSharedValues(environment: StoreEnvironment): SharedValues {
  const values = environment.table<string>('values');
  return {
    async exchange(name, seen, made) {
      return environment.write(() => {
        const found = values.get(name);
        if (found !== undefined && found !== seen) return found;
        void values.put(name, made);
        return made;
      });
    },
  };
}

interface Lease {
  owner: string;
  expiresAt: number;
}

function openLeases(environment: StoreEnvironment, now: () => number): Leases {
  const leases = environment.table<Lease>('response-leases');
  return {
    async acquireLease(key, owner, ttlMs) {
      return environment.write(() => {
        const lease = leases.get(digest(key));
        if (lease !== undefined && lease.owner !== owner && lease.expiresAt > now()) return false;
        void leases.put(digest(key), { owner, expiresAt: now() + ttlMs });
        return true;
      });
    },
    async releaseLease(key, owner) {
      await environment.write(() => {
        if (leases.get(digest(key))?.owner === owner) void leases.remove(digest(key));
      });
    },
  };
}
