import { statSync } from 'node:fs';
import { join } from 'node:path';
import { signatureOf } from '#built/core/duplicates/near-duplicate-signature';
import { readSources } from '#built/sources/read-sources';
import { openStores } from '#built/stores/open-stores';
import { inFolder, timed } from './processes';

const BATCH = 64;
const SMALL_WRITES = 500;

export interface StoreFigures {
  texts: number;
  bytes: number;
  storedBytes: number;
  signMbASecond: number;
  storeMbASecond: number;
  retrieveMbASecond: number;
  artifactMs: number;
  eventMs: number;
}

/** The stores by themselves: how fast they take and give what a run gives them, flushed to disk before they answer. */
export function measureStores(path: string): Promise<StoreFigures> {
  return inFolder('bench', async (folder) => {
    const texts: string[] = [];
    for await (const reading of readSources([path])) if (reading.ok) texts.push(reading.record.content);
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    const stores = await openStores({ stores: 'lmdb', dataDir: folder });
    const { content, events } = stores;
    const msOf = async (work: () => Promise<unknown>): Promise<number> => (await timed(work)).ms;
    const perSecond = (ms: number): number => bytes / 1e3 / ms;
    try {
      const refs: string[] = [];
      const storeMs = await msOf(async () => {
        for (let at = 0; at < texts.length; at += BATCH)
          refs.push(...(await content.storeBatch('bench', texts.slice(at, at + BATCH))));
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
      const signMs = await msOf(async () => texts.forEach((text) => signatureOf(text)));
      return {
        texts: texts.length,
        bytes,
        storedBytes: statSync(join(folder, 'store', 'data.mdb')).size,
        signMbASecond: perSecond(signMs),
        storeMbASecond: perSecond(storeMs),
        retrieveMbASecond: perSecond(retrieveMs),
        artifactMs: artifactMs / SMALL_WRITES,
        eventMs: eventMs / SMALL_WRITES,
      };
    } finally {
      await stores.close();
    }
  });
}
