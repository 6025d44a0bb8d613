import { z } from 'zod';
import type { KeptSecrets } from '../kept-ports';
import type { Keys } from './keys';
import type { RedisConnection } from './redis-connection';
import { bytes } from './replies';
import { REPLACE_SEEN } from './scripts/limit-scripts';

const Settled = z.tuple([z.number(), bytes]);
const NOTHING: Buffer = Buffer.alloc(0);

/** The installation's secrets have no time to live. */
export function openSecrets(connection: RedisConnection, keys: Keys): KeptSecrets {
  const replaceSeen = connection.script(REPLACE_SEEN);
  return {
    async settle(name, made, isWhole) {
      const own = Buffer.from(made);
      for (let seen = NOTHING; ;) {
        const [wasOther, kept] = Settled.parse(await replaceSeen([keys.secret(name)], [own, seen]));
        if (wasOther === 1) isWhole(NOTHING);
        if (kept.equals(own) || isWhole(kept)) return Uint8Array.from(kept);
        // It is replaced now, unless somebody else has done so since.
        seen = kept;
      }
    },
  };
}
