import type { TellDamage } from './damage-warnings';
import type { KeptResponses } from './kept-ports';
import { packText, unpackText } from './packed-text';
import type { CachedResponse, ResponseCache } from './response-cache';
import { entryName, sealed, unsealed } from './seal';

/** Before the packed text stands when it was stored, in milliseconds since 1970, as a double (little-endian). */
const TIME_BYTES = 8;

/** The cache over one that keeps bytes: what is there and is not what was put there counts as absent. */
export function sealedResponseCache(
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
