import { StoreFormatError } from '../errors/store-format-error';
import type { Keys } from './keys';
import type { RedisConnection } from './redis-connection';
import { SET_ONCE } from './scripts/limit-scripts';

/** Raised with every change to the layout of keys or values that older versions would misread. */
const STORE_FORMAT = 1;

/** Marks new stores with the format, and refuses those of another one before anything in them is touched. */
export async function checkStoreFormat(connection: RedisConnection, keys: Keys): Promise<void> {
  const found = String(await connection.script(SET_ONCE)([keys.format], [STORE_FORMAT]));
  if (found === String(STORE_FORMAT)) return;
  const format = /^\d+$/.test(found) ? Number(found) : found;
  throw new StoreFormatError(connection.where, format, STORE_FORMAT, 'another COLLIGATE_REDIS_KEY_PREFIX');
}
