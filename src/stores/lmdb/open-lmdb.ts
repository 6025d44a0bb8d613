import { existsSync } from 'node:fs';
import { diskReason } from '../../platform/disk-reason';
import type { OpenStoresOptions, StoreAdapter } from '../store-adapter';
import type { KeptPorts, KeptSecrets } from '../kept-ports';
import type { OpenedStore, StoreFinding } from '../stores';
import { openContentStore } from './content-store';
import { openDerivedStore } from './derived-store';
import { environmentPath, openEnvironment, type StoreEnvironment } from './environment';
import { openEventLog } from './event-log';
import { openResponseCache } from './response-cache';
import { z } from 'zod';
import { StoreFormatError } from '../errors/store-format-error';
import { createHash } from 'node:crypto';
import type { SharedLimits } from '../shared-limits';

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

function openSecrets(environment: StoreEnvironment): KeptSecrets {
  const secrets = environment.binaryTable('secrets');
  return {
    async settle(name, made, isWhole) {
      const seen = environment.read(() => secrets.get(name));
      if (seen !== undefined && isWhole(seen)) return Uint8Array.from(seen);
      return environment.write(() => {
        // Somebody else may have made one since.
        const found = secrets.get(name);
        if (found !== undefined && isWhole(found)) return Uint8Array.from(found);
        // A write in a transaction is not awaited: it fares as the transaction does, whose promise is.
        void secrets.put(name, Buffer.from(made));
        return made;
      });
    },
  };
}

/** Raised with every change to the layout of keys or values that older versions would misread. */
const STORE_FORMAT = 1;

/** Marks a new store with the format, and refuses a store of another one before anything in it is touched. */
async function checkStoreFormat(environment: StoreEnvironment): Promise<void> {
  const about = environment.jsonTable('about', z.unknown());
  const seen = environment.read(() => about.get('format'));
  const found =
    seen ??
    (await environment.write(() => {
      const existing = about.get('format');
      if (existing === undefined) about.put('format', STORE_FORMAT);
      return existing ?? STORE_FORMAT;
    }));
  if (found !== STORE_FORMAT) throw new StoreFormatError(environment.path, found, STORE_FORMAT);
}

const Slot = z.object({ owner: z.string(), expiresAt: z.number() });
type Slot = z.infer<typeof Slot>;

function openSharedLimits(environment: StoreEnvironment, now: () => number): SharedLimits {
  const turns = environment.jsonTable('limit-turns', z.number());
  const slots = environment.jsonTable('limit-slots', z.array(Slot));

  // What cannot be read is forgotten, as these limits may be.
  const current = (name: string): Slot[] => {
    const held = slots.get(name);
    return held === 'damaged' || held === undefined ? [] : held.filter(({ expiresAt }) => expiresAt > now());
  };
  const following = (name: string): number => {
    const turn = turns.get(name);
    return typeof turn === 'number' ? turn : 0;
  };

  return {
    async takeTurn(name, perSecond) {
      const key = digest(name);
      return environment.write(() => {
        const turn = Math.max(now(), following(key));
        turns.put(key, turn + 1_000 / perSecond);
        return turn - now();
      });
    },
    async acquireSlot(name, owner, { slots: most, ttlMs }) {
      const key = digest(name);
      return environment.write(() => {
        const others = current(key).filter((slot) => slot.owner !== owner);
        if (others.length >= most) return false;
        slots.put(key, [...others, { owner, expiresAt: now() + ttlMs }]);
        return true;
      });
    },
    async releaseSlot(name, owner) {
      const key = digest(name);
      await environment.write(() => {
        slots.put(
          key,
          current(key).filter((slot) => slot.owner !== owner),
        );
      });
    },
  };
}

/** Names may be longer than lmdb's keys can be (1,978 bytes), and may hold any character. */
function digest(name: string): string {
  return createHash('sha256').update(JSON.stringify(name)).digest('hex');
}
