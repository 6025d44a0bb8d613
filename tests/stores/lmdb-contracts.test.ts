import { contentStoreContract } from './content-store.contract';
import { derivedStoreContract } from './derived-store.contract';
import { eventLogContract } from './event-log.contract';
import { prepareLmdb } from './lmdb-under-test';
import { responseCacheContract } from './response-cache.contract';
import { secretStoreContract } from './secret-store.contract';

contentStoreContract('lmdb', prepareLmdb);
derivedStoreContract('lmdb', prepareLmdb);
eventLogContract('lmdb', prepareLmdb);
responseCacheContract('lmdb', prepareLmdb);
secretStoreContract('lmdb', prepareLmdb);
