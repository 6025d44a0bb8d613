import { z } from 'zod';
import { storeKindsOf } from '../stores/store-kinds';
import { Secret } from '../platform/secret';
import { Text } from './setting-types';

const DAY_MS = 86_400_000;

/** An address with its user and password, which no log may have. */
function connectionUrl(protocol: RegExp, description: string) {
  return z
    .url({ protocol })
    .transform((value) => new Secret(value))
    .describe(description);
}

/** What keeps every port that `portStores` does not name. */
export const StoreChoice = z.enum(storeKindsOf('events'));

/** A store of its own for one port; what `stores` says where it is absent. */
export const PortStores = z.object({
  /** Default: what `stores` is. What keeps the texts of sources and all that runs make. */
  content: z.enum(storeKindsOf('content')).nullable().default(null),
  /** Default: what `stores` is. What keeps indexes and other things that can be computed anew. */
  derived: z.enum(storeKindsOf('derived')).nullable().default(null),
  /** Default: what `stores` is. What keeps the events of runs. */
  events: z.enum(storeKindsOf('events')).nullable().default(null),
  /** Default: what `stores` is. What keeps the answers of models. */
  responses: z.enum(storeKindsOf('responses')).nullable().default(null),
});

export const RedisSettings = z.object({
  /** Default none. Where Redis is; `rediss:` for TLS. From the environment only. */
  url: connectionUrl(/^rediss?$/, 'redis://[user:password@]host[:port][/db], or rediss: for TLS')
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

export const PostgresSettings = z.object({
  /** Default none. Where PostgreSQL is; `?sslmode=verify-full` for TLS. From the environment only. */
  url: connectionUrl(/^postgres(ql)?$/, 'postgres://[user:password@]host[:port]/database')
    .nullable()
    .default(null),
  /** Default `colligate`. The schema of the tables; made where it is absent. */
  schema: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,62}$/)
    .describe('1 to 63 lower-case letters, digits or underscores, no digit first')
    .default('colligate'),
});
