import fc from 'fast-check';
import { anyText } from './made-texts';
import { type PrepareStores, useStores } from './stores-under-test';

const HOUR = { ttlMs: 3_600_000 };

export function responseCacheContract(name: string, prepare: PrepareStores): void {
  describe(`response cache on ${name}`, () => {
    let clock: number;
    const now = (): number => clock;
    beforeEach(() => (clock = Date.UTC(2024, 0, 2, 3, 4, 5)));
    const { fixture, stores } = useStores(prepare, { now });

    it('gives back what was put, to every connection', async () => {
      const other = await fixture.connect({ now });
      await stores.responses.put('run', 'key', '{"answer":42}', HOUR);
      const cached = { body: '{"answer":42}', storedAt: '2024-01-02T03:04:05.000Z' };
      expect(await stores.responses.get('run', 'key')).toEqual(cached);
      expect(await other.responses.get('run-2', 'key')).toEqual(cached);
      expect(await other.responses.get('run', 'another key')).toBeNull();
    });

    it('gives back any body under any key, however long', async () => {
      await fc.assert(
        fc.asyncProperty(anyText(), anyText(2_000), async (key, body) => {
          await stores.responses.put('run', `${key}${'.'.repeat(3_000)}`, body, HOUR);
          expect(await stores.responses.get('run', `${key}${'.'.repeat(3_000)}`)).toMatchObject({ body });
        }),
        { seed: 5, numRuns: 50 },
      );
    });

    it('forgets a response when its time to live is over, and takes a new one', async () => {
      await stores.responses.put('run', 'key', 'old', { ttlMs: 60_000 });
      clock += 59_999;
      expect(await stores.responses.get('run', 'key')).toMatchObject({ body: 'old' });
      clock += 1;
      expect(await stores.responses.get('run', 'key')).toBeNull();
      expect(await stores.responses.get('run-2', 'key')).toBeNull();
      await stores.responses.put('run-2', 'key', 'new', { ttlMs: 60_000 });
      for (const run of ['run', 'run-2', 'run-3'])
        expect(await stores.responses.get(run, 'key')).toMatchObject({
          body: 'new',
          storedAt: '2024-01-02T03:05:05.000Z',
        });
    });

    it('deletes what a run has, and nothing that another has put or got', async () => {
      for (const key of ['own', 'got', 'put']) await stores.responses.put('run', key, key, HOUR);
      await stores.responses.get('reader', 'got');
      await stores.responses.put('writer', 'put', 'put', HOUR);
      expect(await stores.responses.clearRun('run')).toBe(3);
      expect(await stores.responses.get('run', 'own')).toBeNull();
      expect(await stores.responses.get('reader', 'got')).toMatchObject({ body: 'got' });
      expect(await stores.responses.get('writer', 'put')).toMatchObject({ body: 'put' });
      expect(await stores.responses.clearRun('reader')).toBe(1);
      expect(await stores.responses.clearRun('writer')).toBe(1);
      expect(await stores.responses.clearRun('writer')).toBe(0);
    });

    it('keeps what one connection gets while another clears the run that put it, or gives nothing', async () => {
      const other = await fixture.connect({ now });
      let got = 0;
      for (let round = 0; round < 60; round += 1) {
        await stores.responses.put('old', `key ${round}`, 'body', HOUR);
        const [response] = await Promise.all([
          other.responses.get('new', `key ${round}`),
          stores.responses.clearRun('old'),
        ]);
        const after = await stores.responses.get('new', `key ${round}`);
        expect(after).toEqual(response);
        if (response !== null) got += 1;
      }
      expect(await stores.responses.clearRun('new')).toBe(got);
    });

    it('gives a lease to one owner until it is released', async () => {
      const other = await fixture.connect({ now });
      expect(await stores.responses.acquireLease('key', 'one', 1_000)).toBe(true);
      expect(await other.responses.acquireLease('key', 'two', 1_000)).toBe(false);
      expect(await other.responses.acquireLease('another key', 'two', 1_000)).toBe(true);
      await other.responses.releaseLease('key', 'two');
      expect(await other.responses.acquireLease('key', 'two', 1_000)).toBe(false);
      await stores.responses.releaseLease('key', 'one');
      expect(await other.responses.acquireLease('key', 'two', 1_000)).toBe(true);
    });

    it('ends a lease that is not renewed', async () => {
      await stores.responses.acquireLease('key', 'one', 1_000);
      clock += 999;
      expect(await stores.responses.acquireLease('key', 'one', 1_000)).toBe(true);
      clock += 999;
      expect(await stores.responses.acquireLease('key', 'two', 1_000)).toBe(false);
      clock += 1;
      expect(await stores.responses.acquireLease('key', 'two', 1_000)).toBe(true);
      expect(await stores.responses.acquireLease('key', 'one', 1_000)).toBe(false);
    });

    it('gives a lease to exactly one of many that ask at once', async () => {
      const other = await fixture.connect({ now });
      for (let round = 0; round < 20; round += 1) {
        const asked = Array.from({ length: 20 }, (_, i) =>
          (i % 2 ? other : stores).responses.acquireLease(`key ${round}`, `owner ${i}`, 1_000),
        );
        expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
      }
    });
  });
}
