import { openStores } from '../../../src/stores/open-stores';
import { Secret } from '../../../src/platform/secret';

/** Stores a text over TLS on a port of this machine, and says what came of it. */
async function main(): Promise<string> {
  const url = new Secret(`rediss://127.0.0.1:${process.argv[2] ?? ''}`);
  const redis = { url, keyPrefix: 'tls', ttlMs: 86_400_000 };
  const stores = await openStores({ stores: 'redis', dataDir: '', redis });
  const ref = await stores.content.store('run', 'kept');
  const text = await stores.content.retrieve(ref);
  await stores.close();
  return text ?? 'lost';
}

main().then(console.log, (error: unknown) => console.log(error instanceof Error ? error.message : error));
