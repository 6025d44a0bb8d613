import { failed } from '../support/run-events';
import { startTestProcess } from './child-process';
import { prepareLmdb } from './lmdb-under-test';

const COUNT = 2_000;
// All prime to the count, so that each process goes through all keys in another order.
const STRIDES = [1, 3, 1_999];

describe('lmdb event log of several processes', () => {
  it('gives each key one number, without holes, and follows all of it from outside', async () => {
    const fixture = await prepareLmdb();
    try {
      const stores = await fixture.connect();
      const followed: number[] = [];
      const following = (async () => {
        for await (const event of stores.events.follow('run')) followed.push(event.number);
      })();
      const answers = STRIDES.map(() => new Map<string, number>());
      const writers = STRIDES.map((stride, index) =>
        startTestProcess('append-writer.ts', [fixture.dataDir, String(COUNT), String(stride)], (record) => {
          // The writer is part of this suite and writes no other lines.
          const [key, number] = record as [string, number];
          answers[index]?.set(key, number);
        }),
      );
      expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual(STRIDES.map(() => 0));
      expect(await stores.events.appendOnce('run', 'end', failed('the end'))).toBe(COUNT + 1);
      await following;

      const events = await stores.events.read('run');
      const expected = new Map(events.slice(0, COUNT).map(({ key, number }) => [key, number]));
      expect(events.map(({ number }) => number)).toEqual(Array.from({ length: COUNT + 1 }, (_, i) => i + 1));
      expect(expected.size).toBe(COUNT);
      for (const answer of answers)
        expect(new Map([...answer].sort())).toEqual(new Map([...expected].sort()));
      expect(followed).toEqual(events.map(({ number }) => number));
      expect(
        new Set(events.slice(0, COUNT).map(({ payload }) => JSON.stringify(payload).match(/from \d+/)?.[0]))
          .size,
      ).toBe(STRIDES.length);
    } finally {
      await fixture.dispose();
    }
  });
});
