import fc from 'fast-check';
import { anyText } from './made-texts';
import { type PrepareStores, useStores } from './stores-under-test';

const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));

/** What every store of derived values does, whatever it stands on. */
export function derivedStoreContract(name: string, prepare: PrepareStores): void {
  describe(`derived store on ${name}`, () => {
    const { fixture, stores } = useStores(prepare);

    it('gives back what was put, to every connection, and leaves out what is not there', async () => {
      const other = await fixture.connect();
      await stores.derived.put('run', new Map([['of a text', bytesOf('1')]]));
      const found = await other.derived.get('run-2', ['of a text', 'of another']);
      expect([...found]).toEqual([['of a text', bytesOf('1')]]);
    });

    it('gives back any bytes under any key, however long', async () => {
      await fc.assert(
        fc.asyncProperty(anyText(), fc.uint8Array({ maxLength: 2_000 }), async (start, bytes) => {
          const key = `${start}${'.'.repeat(3_000)}`;
          await stores.derived.put('run', new Map([[key, bytes]]));
          expect((await stores.derived.get('run', [key])).get(key)).toEqual(Uint8Array.from(bytes));
        }),
        { seed: 5, numRuns: 50 },
      );
    });

    it('takes many values at once, and a new one in the place of an old one', async () => {
      const many = new Map(Array.from({ length: 1_200 }, (_, at) => [`key ${at}`, bytesOf(`${at}`)]));
      await stores.derived.put('run', many);
      await stores.derived.put('run', new Map([['key 7', bytesOf('new')]]));
      const found = await stores.derived.get('run', [...many.keys()]);
      expect(found.size).toBe(1_200);
      expect(found.get('key 7')).toEqual(bytesOf('new'));
      expect(found.get('key 1199')).toEqual(bytesOf('1199'));
    });

    it('deletes what a run has, and nothing that another has put or got', async () => {
      for (const key of ['own', 'got', 'put'])
        await stores.derived.put('run', new Map([[key, bytesOf(key)]]));
      await stores.derived.get('reader', ['got']);
      expect(await stores.derived.hold('holder', ['got', 'of nothing'])).toEqual(['of nothing']);
      await stores.derived.put('writer', new Map([['put', bytesOf('put')]]));
      expect(await stores.derived.clearRun('run')).toBe(3);
      const left = await stores.derived.get('another', ['own', 'got', 'put']);
      expect([...left.keys()].sort()).toEqual(['got', 'put']);
      expect(await stores.derived.clearRun('run')).toBe(0);
      for (const run of ['reader', 'another']) await stores.derived.clearRun(run);
      expect(await stores.derived.hold('late', ['got', 'put'])).toEqual([]);
    });
  });
}
