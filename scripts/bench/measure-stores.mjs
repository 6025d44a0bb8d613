// The stores by themselves: how fast they take and give what a run gives them, flushed to disk before they answer.
import { mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../checkout.mjs';

const require = createRequire(import.meta.url);
const built = (file) => require(join(root, 'dist', file));

const BATCH = 64;
const SMALL_WRITES = 500;

export async function measureStores(path) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'colligate-bench-'));
  const stores = await built('stores/open-stores.js').openStores({ stores: 'lmdb', dataDir: folder });
  try {
    const texts = await contentsOf(path);
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    const { content, events } = stores;
    const { signatureOf } = built('core/duplicates/near-duplicate-signature.js');

    const refs = [];
    const storeMs = await msOf(async () => {
      for (let at = 0; at < texts.length; at += BATCH) {
        refs.push(...(await content.storeBatch('bench', texts.slice(at, at + BATCH))));
      }
    });
    const retrieveMs = await msOf(() => content.retrieveBatch(refs));
    const artifactMs = await msOf(async () => {
      for (let at = 0; at < SMALL_WRITES; at += 1) await content.store('bench', JSON.stringify({ at }));
    });
    const eventMs = await msOf(async () => {
      for (let at = 0; at < SMALL_WRITES; at += 1) {
        const payload = { code: 'bench', message: `event ${at}` };
        await events.appendOnce('bench', `bench/${at}`, { type: 'warning', payload });
      }
    });
    const signMs = await msOf(() => texts.forEach((text) => signatureOf(text)));
    return {
      texts: texts.length,
      bytes,
      storedBytes: statSync(join(folder, 'store', 'data.mdb')).size,
      signMbASecond: bytes / 1e3 / signMs,
      storeMbASecond: bytes / 1e3 / storeMs,
      retrieveMbASecond: bytes / 1e3 / retrieveMs,
      artifactMs: artifactMs / SMALL_WRITES,
      eventMs: eventMs / SMALL_WRITES,
    };
  } finally {
    await stores.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function contentsOf(path) {
  const texts = [];
  for await (const reading of built('sources/read-sources.js').readSources([path])) {
    if (reading.ok) texts.push(reading.record.content);
  }
  return texts;
}

async function msOf(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
