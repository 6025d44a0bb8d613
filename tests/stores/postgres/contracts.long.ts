import {
  describeWithPostgres,
  type PostgresServer,
  startPostgres,
} from '../../support/services/postgres-server';
import { contentStoreContract } from '../content-store.contract';
import { damageContract } from '../damage.contract';
import { derivedStoreContract } from '../derived-store.contract';
import { preparePostgres } from './postgres-under-test';

describeWithPostgres(() => {
  let server: PostgresServer;
  // What the suites ask of it is the same without a disk that is slow to make sure.
  beforeAll(async () => (server = await startPostgres({ fsync: 'off' })));
  afterAll(() => server.remove());

  const prepare = preparePostgres(() => server);
  contentStoreContract('postgres', prepare);
  derivedStoreContract('postgres', prepare);
  damageContract('postgres', prepare);
});
