import { describeWithPostgres } from '../../support/services/postgres-server';
import { outliveAKilledStore } from './outlive-a-killed-store';
import { onPostgres } from './store-servers';

describeWithPostgres(() => outliveAKilledStore(onPostgres));
