import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { KeptResponses } from '../kept-ports';
import type { StoreEnvironment } from './environment';
import { openHoldings } from './holdings';

/** When a response ends; when it was stored is read by versions before 0.7. */
const ResponseHead = z.object({ storedAt: z.number(), expiresAt: z.number() });
const Lease = z.object({ owner: z.string(), expiresAt: z.number() });

/** What is given out where something lies at a name that was not put there. */
const NO_BYTES = new Uint8Array();

export function openResponseCache(environment: StoreEnvironment, now: () => number): KeptResponses {
  const heads = environment.jsonTable('response-heads', ResponseHead);
  const bodies = environment.binaryTable('response-bodies');
  const leases = environment.jsonTable('response-leases', Lease);
  const holdings = openHoldings(environment, 'responses');

  function find(item: string): Uint8Array | undefined {
    const head = heads.get(item);
    const body = bodies.get(item);
    if (head === undefined && body === undefined) return undefined;
    if (head === undefined || head === 'damaged' || body === undefined) return NO_BYTES;
    // A copy: what lmdb hands out may lie in a buffer that it uses again.
    return head.expiresAt <= now() ? undefined : Uint8Array.from(body);
  }

  function leaseOf(name: string): z.infer<typeof Lease> | undefined {
    const lease = leases.get(name);
    return lease === 'damaged' ? undefined : lease;
  }

  return {
    async get(runId, key) {
      const item = digest(key);
      const seen = environment.read(() => {
        const response = find(item);
        return response && { response, isHeld: holdings.isHeldBy(runId, item) };
      });
      if (seen === undefined) return null;
      if (seen.isHeld) return seen.response;
      const held = await environment.write(() => {
        // Looked up again: another run's clearing may have deleted it since.
        const current = find(item);
        if (current !== undefined) holdings.hold(runId, item);
        return current;
      });
      return held ?? null;
    },
    async put(runId, key, value, { ttlMs }) {
      const item = digest(key);
      await environment.write(() => {
        const storedAt = now();
        heads.put(item, { storedAt, expiresAt: storedAt + ttlMs });
        // A write in a transaction is not awaited: it fares as the transaction does, whose promise is.
        void bodies.put(item, Buffer.from(value.buffer, value.byteOffset, value.byteLength));
        holdings.hold(runId, item);
      });
    },
    async acquireLease(key, owner, ttlMs) {
      return environment.write(() => {
        const name = digest(key);
        const lease = leaseOf(name);
        if (lease !== undefined && lease.owner !== owner && lease.expiresAt > now()) return false;
        leases.put(name, { owner, expiresAt: now() + ttlMs });
        return true;
      });
    },
    async releaseLease(key, owner) {
      await environment.write(() => {
        const name = digest(key);
        if (leaseOf(name)?.owner === owner) leases.remove(name);
      });
    },
    async clearRun(runId) {
      return holdings.releaseRun(runId, (item) => {
        heads.remove(item);
        void bodies.remove(item);
      });
    },
  };
}

/** Keys may be longer than lmdb's can be (1,978 bytes), and may hold any character. */
function digest(key: string): string {
  return createHash('sha256').update(JSON.stringify(key)).digest('hex');
}
