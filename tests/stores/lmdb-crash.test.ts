import type { Stores } from '../../src/stores/stores';
import { cases } from '../support/long';
import { randomFrom } from '../support/random';
import { startTestProcess, type TestProcess } from './child-process';
import { prepareLmdb } from './lmdb-under-test';
import { recordText } from './made-texts';
import { openLmdbStores } from './open-lmdb-stores';

// Short lives, and more writers than processors: records were lost where a process opened the store while another wrote.
const WRITERS_AT_ONCE = cases(3, 6);
const KILLS = cases(3, 48);
const MOST_RECORDS = cases(200, 700);

type Acknowledged = ['content', string, string] | ['event', string, number] | ['response', string];

interface Writer {
  process: TestProcess;
  records: Acknowledged[];
}

/** Starts a writer; `full` resolves when it has acknowledged `quota` records. */
function startWriter(dataDir: string, name: string, quota: number): Writer & { full: Promise<void> } {
  const records: Acknowledged[] = [];
  let isFull: () => void;
  const full = new Promise<void>((resolve) => (isFull = resolve));
  const process = startTestProcess('crash-writer.ts', [dataDir, name], (record) => {
    // The writer is part of this suite and writes no other lines.
    records.push(record as Acknowledged);
    if (records.length === quota) isFull();
  });
  return { process, records, full };
}

/** The ids of acknowledged records that are not there, or not as they were written. */
async function findLost(stores: Stores, records: readonly Acknowledged[]): Promise<string[]> {
  const keys = new Map(
    (await stores.events.read('run-of-all')).map(({ number, key, payload }) => [number, { key, payload }]),
  );
  const lost: string[] = [];
  for (const [kind, id, name] of records) {
    const isThere =
      kind === 'content'
        ? (await stores.content.retrieve(name)) === recordText(id)
        : kind === 'event'
          ? keys.get(name)?.key === id && JSON.stringify(keys.get(name)?.payload).includes(recordText(id))
          : (await stores.responses.get(`run-${id.split('/')[0]}`, id))?.body === recordText(id);
    if (!isThere) lost.push(`${kind} ${id}`);
  }
  return lost;
}

describe('lmdb stores of killed processes', () => {
  it('keep every acknowledged record, whoever opened them while others wrote and were killed', async () => {
    const fixture = await prepareLmdb();
    const random = randomFrom(20_240_102);
    const quotas = Array.from({ length: KILLS }, () => 1 + Math.floor(random() * MOST_RECORDS));
    const recordsAtLeast = quotas.reduce((sum, quota) => sum + quota, 0);
    const acknowledged: Acknowledged[] = [];
    const lost: string[] = [];
    let started = 0;

    async function runWritersOneAfterAnother(): Promise<void> {
      for (let quota = quotas.shift(); quota !== undefined; quota = quotas.shift()) {
        const writer = startWriter(fixture.dataDir, `writer${(started += 1)}`, quota);
        await Promise.race([writer.full, writer.process.ended]);
        writer.process.child.kill('SIGKILL');
        expect(await writer.process.ended).toBeNull();
        acknowledged.push(...writer.records);
        // Opened anew each time, beside the writers that are alive.
        const stores = await openLmdbStores(fixture.dataDir);
        lost.push(...(await findLost(stores, writer.records)));
        await stores.close();
      }
    }

    try {
      await Promise.all(Array.from({ length: WRITERS_AT_ONCE }, runWritersOneAfterAnother));
      const stores = await fixture.connect();
      lost.push(...(await findLost(stores, acknowledged)));
      const events = await stores.events.read('run-of-all');
      const count = (kind: string): number => acknowledged.filter((record) => record[0] === kind).length;

      expect(lost).toEqual([]);
      expect(started).toBe(KILLS);
      expect(acknowledged.length).toBeGreaterThanOrEqual(recordsAtLeast);
      expect(Math.min(count('content'), count('event'), count('response'))).toBeGreaterThan(
        recordsAtLeast / 4,
      );
      expect(events.length).toBeGreaterThanOrEqual(count('event'));
      expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
      expect(new Set(events.map(({ key }) => key)).size).toBe(events.length);
      expect((await stores.content.statistics()).artifacts).toBeGreaterThanOrEqual(count('content'));
    } finally {
      await fixture.dispose();
    }
  });
});
