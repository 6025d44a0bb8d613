import { openStores } from '../../../src/stores/open-stores';
import type { Stores } from '../../../src/stores/stores';
import { Secret } from '../../../src/platform/secret';
import type { PostgresServer } from '../../support/services/postgres-server';
import { prepareLmdb } from '../lmdb-under-test';
import type { PrepareStores } from '../stores-under-test';

let schemas = 0;

/** Content and derived values in a schema of their own on the server, everything else in a data folder. */
export function preparePostgres(server: () => PostgresServer): PrepareStores {
  return async () => {
    const lmdb = await prepareLmdb();
    schemas += 1;
    const schema = `test_${schemas}`;
    const connections: Stores[] = [];
    return {
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
