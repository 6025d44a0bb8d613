import type { ActivityPorts } from '../../src/activities/ports';
import type { ThreadPool } from '../../src/engines/thread-pool';
import type { Stores } from '../../src/stores/stores';
import { prepareLmdb } from '../stores/lmdb-under-test';
import { createTestThreads } from '../support/test-threads';
import { portsOver } from './corpus-under-test';

export interface StoresUnderTest {
  readonly stores: Stores;
  readonly threads: ThreadPool;
  readonly ports: ActivityPorts;
  connect(): Promise<Stores>;
}

/** Declares stores for each test of a file, and threads that its tests share. */
export function storesUnderTest(): StoresUnderTest {
  let threads: ThreadPool;
  let fixture: Awaited<ReturnType<typeof prepareLmdb>>;
  let stores: Stores;
  beforeAll(async () => (threads = await createTestThreads({ threads: 2 })));
  afterAll(() => threads.close());
  beforeEach(async () => {
    fixture = await prepareLmdb();
    stores = await fixture.connect();
  });
  afterEach(() => fixture.dispose());
  return {
    get stores() {
      return stores;
    },
    get threads() {
      return threads;
    },
    get ports() {
      return portsOver(stores, threads);
    },
    connect: () => fixture.connect(),
  };
}
