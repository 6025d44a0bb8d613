import { warning } from '../support/run-events';
import { damageEntries, DAMAGES, type StoredBytes } from './stored-bytes';
import { useStores, type PrepareDamageable } from './stores-under-test';

const COUNT = 60;
const HOUR = { ttlMs: 3_600_000 };
const keys = Array.from({ length: COUNT }, (_, at) => `key ${at}`);
const textOf = (key: string): string => `${key} ${'has a text that compresses well. '.repeat(key.length)}`;
const bytesOf = (key: string): Uint8Array => Uint8Array.from(Buffer.from(textOf(key)));

/** What stores do whose files or server somebody else has written to, whatever they stand on. */
export function damageContract(name: string, prepare: PrepareDamageable): void {
  describe(`damaged entries on ${name}`, () => {
    let warnings: string[];
    const { fixture, stores } = useStores(prepare, { warn: (message) => warnings.push(message) });
    beforeEach(async () => {
      warnings = [];
      await stores.events.appendOnce('run', 'first', warning('b'));
    });

    /** What the run was told beside what it began with. */
    async function told(): Promise<string[]> {
      const events = await stores.events.read('run', { after: 1 });
      return events.flatMap(({ type, payload }) => (type === 'warning' ? [payload.message] : []));
    }

    async function damageAll(bytes: StoredBytes, seed: number): Promise<void> {
      expect(await damageEntries(bytes, { count: COUNT, seed })).toBe(COUNT);
      expect(DAMAGES).toHaveLength(5);
    }

    it.each([1, 2, 3])(
      'gives none of 60 damaged derived values, tells the run once, and has them again once they are put (seed %s)',
      async (seed) => {
        await stores.derived.put('run', new Map(keys.map((key) => [key, bytesOf(key)])));
        await damageAll(fixture.bytesOf('derived'), seed);
        expect(await stores.derived.get('run', keys)).toEqual(new Map());
        expect(await stores.derived.get('run', keys)).toEqual(new Map());
        expect(await told()).toEqual([expect.stringMatching(/^60 .* not what was stored there/)]);
        await stores.derived.put('run', new Map(keys.map((key) => [key, bytesOf(key)])));
        expect((await stores.derived.get('run', keys)).size).toBe(COUNT);
        expect(await told()).toHaveLength(1);
        expect(warnings).toEqual([]);
        expect(await stores.derived.clearRun('run')).toEqual({ deleted: COUNT, kept: 0 });
      },
    );

    it.each([1, 2, 3])(
      'gives none of 60 damaged responses, tells the run of each once, and has them again once they are put (seed %s)',
      async (seed) => {
        for (const key of keys) await stores.responses.put('run', key, textOf(key), HOUR);
        const responses = fixture.bytesOf('responses');
        if (responses === null) return;
        await damageAll(responses, seed);
        for (const key of [...keys, ...keys]) expect(await stores.responses.get('run', key)).toBeNull();
        expect(await told()).toHaveLength(COUNT);
        for (const key of keys) await stores.responses.put('run', key, textOf(key), HOUR);
        for (const key of keys)
          expect(await stores.responses.get('run', key)).toMatchObject({ body: textOf(key) });
        expect(await told()).toHaveLength(COUNT);
        expect(warnings).toEqual([]);
        expect(await stores.responses.clearRun('run')).toEqual({ deleted: COUNT, kept: 0 });
      },
    );

    it('warns the process once where nobody follows a run, and begins no run for it', async () => {
      await stores.derived.put('nobody', new Map([['key', bytesOf('key')]]));
      await damageEntries(fixture.bytesOf('derived'), { count: 1, seed: 4 });
      await stores.derived.get('nobody', ['key']);
      await stores.derived.get('nobody', ['key']);
      expect(warnings).toEqual([expect.stringContaining('(key key) is not what was stored there')]);
      expect(await stores.events.runs()).toEqual(['run']);
    });

    it('tells of a damaged artifact, writes it anew when its text is stored again, and counts it once', async () => {
      const refs = await stores.content.storeBatch('run', keys.map(textOf));
      const before = await stores.content.statistics();
      await damageAll(fixture.bytesOf('content'), 5);
      const failed: unknown[] = [];
      for (const ref of refs)
        await stores.content.retrieve(ref).catch((error: unknown) => failed.push(error));
      expect(failed).toHaveLength(COUNT);
      for (const error of failed) expect(error).toMatchObject({ name: 'CorruptArtifactError' });
      expect(await stores.content.storeBatch('run-2', keys.map(textOf))).toEqual(refs);
      const texts = await stores.content.retrieveBatch(refs);
      expect(refs.map((ref) => texts.get(ref))).toEqual(keys.map(textOf));
      expect((await stores.content.statistics()).artifacts).toBe(before.artifacts);
      expect(await stores.content.clearRun('run')).toEqual({ deleted: 0, kept: COUNT });
      expect(await stores.content.clearRun('run-2')).toEqual({ deleted: COUNT, kept: 0 });
    });

    it('clears a run whose entries are damaged', async () => {
      await stores.content.storeBatch('run', keys.map(textOf));
      await stores.derived.put('run', new Map(keys.map((key) => [key, bytesOf(key)])));
      for (const key of keys) await stores.responses.put('run', key, textOf(key), HOUR);
      for (const port of ['content', 'derived', 'responses'] as const) {
        const bytes = fixture.bytesOf(port);
        if (bytes !== null) await damageAll(bytes, 6);
      }
      for (const store of [stores.content, stores.derived, stores.responses])
        expect(await store.clearRun('run')).toEqual({ deleted: COUNT, kept: 0 });
    });
  });
}
