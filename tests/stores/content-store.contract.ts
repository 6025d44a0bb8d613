import fc from 'fast-check';
import { anyText, IDS_OF_ANYBODY } from './made-texts';
import { type PrepareStores, useStores } from './stores-under-test';

export function contentStoreContract(name: string, prepare: PrepareStores): void {
  describe(`content store on ${name}`, () => {
    const { fixture, stores } = useStores(prepare);

    it('names a text by the SHA-256 of its UTF-8', async () => {
      const refs = await stores.content.storeBatch('run', ['abc', 'é']);
      expect(refs).toEqual([
        'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
        '4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c',
      ]);
    });

    it.each([
      ['empty', ''],
      ['with line ends of all kinds', 'a\r\nb\nc\rd\u2028e\0f'],
      ['beyond the basic plane', '😀'.repeat(200)],
      ['compressible', 'The same sentence again. '.repeat(1_000)],
      [
        'larger than what is compressed at once',
        Array.from({ length: 60_000 }, (_, i) => `${i * 7919} `).join(''),
      ],
      ['cut in the middle of a pair', 'The emoji 😀 was cut: 😀'.slice(0, -1)],
    ])('gives back a text that is %s', async (_kind, text) => {
      const ref = await stores.content.store('run', text);
      expect(await stores.content.retrieve(ref)).toBe(text);
    });

    it('gives back any text exactly, unpaired surrogates among it, and tells all texts apart', async () => {
      const texts = fc.uniqueArray(anyText(), { minLength: 1, maxLength: 20 });
      await fc.assert(
        fc.asyncProperty(texts, async (given) => {
          const refs = await stores.content.storeBatch('run', given);
          const found = await stores.content.retrieveBatch(refs);
          expect(new Set(refs).size).toBe(given.length);
          expect(refs.map((ref) => found.get(ref))).toEqual(given);
        }),
        { seed: 1, numRuns: 100 },
      );
    });

    it('gives a batch its references in order, repeats included', async () => {
      const texts = Array.from({ length: 1_200 }, (_, i) => `text ${i % 1_000}`);
      const refs = await stores.content.storeBatch('run', texts);
      const found = await stores.content.retrieveBatch(refs);
      expect(refs.map((ref) => found.get(ref))).toEqual(texts);
      expect(await stores.content.storeBatch('run', [])).toEqual([]);
      expect(await stores.content.statistics()).toMatchObject({ artifacts: 1_000 });
    });

    it('says what is missing without inventing it', async () => {
      const ref = await stores.content.store('run', 'here');
      const missing = 'f'.repeat(64);
      expect(await stores.content.retrieve(missing)).toBeNull();
      expect(await stores.content.retrieve('not a reference'.repeat(1_000))).toBeNull();
      expect(await stores.content.has(missing)).toBe(false);
      expect(await stores.content.has('')).toBe(false);
      expect(await stores.content.has(ref)).toBe(true);
      expect(await stores.content.retrieveBatch([missing, ref])).toEqual(new Map([[ref, 'here']]));
    });

    it('counts artifacts, their characters and retrievals', async () => {
      const [first] = await stores.content.storeBatch('run', ['four', '😀', 'four']);
      await stores.content.store('other', 'four');
      await stores.content.retrieve(first ?? '');
      await stores.content.retrieveBatch(['0'.repeat(64), first ?? '']);
      expect(await stores.content.statistics()).toEqual({
        artifacts: 2,
        totalChars: 6,
        retrievals: { requested: 3, found: 2, missing: 1 },
      });
    });

    it('deletes the texts of a run, and none that another has', async () => {
      const [shared, own] = await stores.content.storeBatch('run', ['shared', 'own']);
      await stores.content.store('run-2', 'shared');
      await stores.content.store('run.2', 'of a run whose id begins alike');
      expect(await stores.content.clearRun('run')).toBe(2);
      expect(await stores.content.has(own ?? '')).toBe(false);
      expect(await stores.content.retrieve(shared ?? '')).toBe('shared');
      expect(await stores.content.clearRun('run')).toBe(0);
      expect(await stores.content.clearRun('run-2')).toBe(1);
      expect(await stores.content.statistics()).toMatchObject({ artifacts: 1, totalChars: 30 });
    });

    it('clears a run of thousands of texts', async () => {
      const texts = Array.from({ length: 2_500 }, (_, i) => `text ${i}`);
      await stores.content.storeBatch('large', texts);
      await stores.content.storeBatch('small', texts.slice(0, 10));
      expect(await stores.content.clearRun('large')).toBe(2_500);
      expect(await stores.content.statistics()).toMatchObject({ artifacts: 10 });
    });

    it('holds what a model of runs and texts holds, after any sequence of storing and clearing', async () => {
      const run = fc.constantFrom('a', 'b', 'a-b');
      const command = fc.oneof(
        {
          weight: 3,
          arbitrary: fc.record({ run, texts: fc.array(fc.constantFrom('x', 'yy', 'zzz'), { maxLength: 3 }) }),
        },
        { weight: 1, arbitrary: fc.record({ run, texts: fc.constant(null) }) },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(command, { maxLength: 12 }), async (commands) => {
          for (const id of ['a', 'b', 'a-b']) await stores.content.clearRun(id);
          const model = new Map<string, Set<string>>();
          for (const { run: id, texts } of commands) {
            if (texts === null) {
              await stores.content.clearRun(id);
              model.delete(id);
            } else {
              await stores.content.storeBatch(id, texts);
              model.set(id, new Set([...(model.get(id) ?? []), ...texts]));
            }
          }
          const held = new Set([...model.values()].flatMap((texts) => [...texts]));
          const { artifacts, totalChars } = await stores.content.statistics();
          expect({ artifacts, totalChars }).toEqual({
            artifacts: held.size,
            totalChars: [...held].join('').length,
          });
        }),
        { seed: 2, numRuns: 60 },
      );
    });

    it('keeps a text that one connection stores while another clears the last run that held it', async () => {
      const other = await fixture.connect();
      for (let round = 0; round < 100; round += 1) {
        const text = `contested ${round}`.repeat(20);
        const ref = await stores.content.store('old', text);
        await Promise.all([stores.content.clearRun('old'), other.content.store('new', text)]);
        expect(await stores.content.retrieve(ref)).toBe(text);
      }
      expect(await stores.content.clearRun('new')).toBe(100);
    });

    it('shows another connection at once what one has stored', async () => {
      const other = await fixture.connect();
      for (let round = 0; round < 50; round += 1) {
        const ref = await stores.content.store('run', `text ${round}`);
        expect(await other.content.retrieve(ref)).toBe(`text ${round}`);
      }
    });

    it('refuses a run id that is none', async () => {
      await expect(stores.content.store('', 'text')).rejects.toThrow(/at least one/);
      await expect(stores.content.clearRun('')).rejects.toThrow(/at least one/);
    });

    it('holds for each run what is its own, whatever their ids are made of', async () => {
      for (const runId of IDS_OF_ANYBODY) await stores.content.store(runId, `of ${runId}`);
      for (const runId of IDS_OF_ANYBODY) expect(await stores.content.clearRun(runId)).toBe(1);
    });

    it('lets a run hold what another has stored, and says what is not there', async () => {
      const refs = await stores.content.storeBatch('import', ['one', 'two']);
      const absent = 'f'.repeat(64);
      expect(await stores.content.hold('run', [...refs, absent, 'no reference'])).toEqual([
        absent,
        'no reference',
      ]);
      expect(await stores.content.clearRun('import')).toBe(2);
      expect(await stores.content.hold('run', refs)).toEqual([]);
      expect(await stores.content.clearRun('run')).toBe(2);
    });
  });
}
