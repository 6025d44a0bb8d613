import { openStores } from '../../../src/stores/open-stores';
import type { Stores } from '../../../src/stores/stores';
import { Secret } from '../../../src/platform/secret';
import type { PostgresServer } from '../../support/services/postgres-server';
import { prepareLmdb } from '../lmdb-under-test';
import { bytesInPostgres, type KeptPort, type StoredBytes } from '../stored-bytes';
import type { PrepareDamageable } from '../stores-under-test';

let schemas = 0;

/** Content and derived values in a schema of their own on the server, everything else in a data folder. */
export function preparePostgres(server: () => PostgresServer): PrepareDamageable {
  return async () => {
    const lmdb = await prepareLmdb();
    schemas += 1;
    const schema = `test_${schemas}`;
    const connections: Stores[] = [];
    // The only port of these that a database does not have is that of responses.
    function bytesOf(port: 'content' | 'derived'): StoredBytes;
    function bytesOf(port: KeptPort): StoredBytes | null;
    function bytesOf(port: KeptPort): StoredBytes | null {
      return port === 'responses' ? null : bytesInPostgres(server().url, schema, port);
    }
    return {
      bytesOf,
      async connect(options) {
        const stores = await openStores(
          {
            dataDir: lmdb.dataDir,
            stores: 'lmdb',
            portStores: { content: 'postgres', derived: 'postgres' },
            postgres: { url: new Secret(server().url), schema },
          },
          options,
        );
        connections.push(stores);
        return stores;
      },
      async dispose() {
        for (const stores of connections) await stores.close();
        await lmdb.dispose();
      },
    };
  };
}
