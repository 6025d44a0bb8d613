import { createHash } from 'node:crypto';
import { packText, unpackText } from '../packed-text';
import type { ResponseCache } from '../response-cache';
import type { StoreEnvironment } from './environment';
import { openHoldings } from './holdings';

interface ResponseHead {
  storedAt: number;
  expiresAt: number;
}

interface Lease {
  owner: string;
  expiresAt: number;
}

export function openResponseCache(environment: StoreEnvironment, now: () => number): ResponseCache {
  const heads = environment.jsonTable<ResponseHead>('response-heads');
  const bodies = environment.binaryTable('response-bodies');
  const leases = environment.jsonTable<Lease>('response-leases');
  const holdings = openHoldings(environment, 'responses');

  function find(item: string): { packed: Buffer; storedAt: number } | undefined {
    const head = heads.get(item);
    const packed = bodies.get(item);
    if (head === undefined || packed === undefined || head.expiresAt <= now()) return undefined;
    return { packed, storedAt: head.storedAt };
  }

  return {
    async get(runId, key) {
      const item = digest(key);
      const seen = environment.read(() => {
        const response = find(item);
        return response && { response, isHeld: holdings.isHeldBy(runId, item) };
      });
      if (seen === undefined) return null;
      const response = seen.isHeld
        ? seen.response
        : await environment.write(() => {
            // Looked up again: another run's clearing may have deleted it since.
            const current = find(item);
            if (current !== undefined) holdings.hold(runId, item);
            return current;
          });
      if (response === undefined) return null;
      return { body: await unpackText(response.packed), storedAt: new Date(response.storedAt).toISOString() };
    },
    async put(runId, key, body, { ttlMs }) {
      const item = digest(key);
      const packed = await packText(body);
      await environment.write(() => {
        const storedAt = now();
        // A write in a transaction is not awaited: it fares as the transaction does, whose promise is.
        void heads.put(item, { storedAt, expiresAt: storedAt + ttlMs });
        void bodies.put(item, packed);
        holdings.hold(runId, item);
      });
    },
    async acquireLease(key, owner, ttlMs) {
      return environment.write(() => {
        const name = digest(key);
        const lease = leases.get(name);
        if (lease !== undefined && lease.owner !== owner && lease.expiresAt > now()) return false;
        void leases.put(name, { owner, expiresAt: now() + ttlMs });
        return true;
      });
    },
    async releaseLease(key, owner) {
      await environment.write(() => {
        const name = digest(key);
        if (leases.get(name)?.owner === owner) void leases.remove(name);
      });
    },
    async clearRun(runId) {
      return holdings.releaseRun(runId, (item) => {
        void heads.remove(item);
        void bodies.remove(item);
      });
    },
  };
}

/** Keys may be longer than lmdb's can be (1,978 bytes), and may hold any character. */
function digest(key: string): string {
  return createHash('sha256').update(JSON.stringify(key)).digest('hex');
}
