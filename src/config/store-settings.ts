import { z } from 'zod';
import { Secret } from '../platform/secret';
import { Text } from './setting-types';

const DAY_MS = 86_400_000;

/** `lmdb`: files in the data folder, for processes of one machine. `redis`: a server, for workers on many machines. */
export const StoreChoice = z.enum(['lmdb', 'redis']);

export const RedisSettings = z.object({
  /** Default none. Where Redis is; `rediss:` for TLS. From the environment only. */
  url: z
    .url({ protocol: /^rediss?$/ })
    .transform((value) => new Secret(value))
    .describe('redis://[user:password@]host[:port][/db], or rediss: for TLS')
    .nullable()
    .default(null),
  /** Default `colligate`. Begins every key, so that several installations may share a server. */
  keyPrefix: Text.regex(/^[\w.-]{1,40}$/)
    .describe('1 to 40 letters, digits, dots, dashes or underscores')
    .default('colligate'),
  /** Default 90 days. After so long without use a key is let go, in milliseconds: longer than any run and than `retention.keepMs`. */
  ttlMs: z
    .int()
    .min(DAY_MS)
    .max(3_650 * DAY_MS)
    .default(90 * DAY_MS),
});
