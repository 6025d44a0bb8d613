import type { Stores } from '../stores';
import { openContentStore } from './content-store';
import { openEnvironment } from './environment';
import { openEventLog } from './event-log';
import { openResponseCache } from './response-cache';
import { checkStoreFormat } from './store-format';

/**
 * Opens the stores in `<dataDir>/store`, and makes them where there are none. Several processes may have them open at
 * once, on a local disk; never on a network file system. `now` gives milliseconds since 1970. Rejects with
 * `StoreOpenError`, or with `StoreFormatError` where another version of Colligate wrote them.
 */
export async function openStores(
  dataDir: string,
  { now = Date.now }: { now?: () => number } = {},
): Promise<Stores> {
  const environment = openEnvironment(dataDir);
  try {
    await checkStoreFormat(environment);
    return {
      content: openContentStore(environment),
      events: openEventLog(environment, now),
      responses: openResponseCache(environment, now),
      close: () => environment.close(),
    };
  } catch (error) {
    await environment.close();
    throw error;
  }
}
