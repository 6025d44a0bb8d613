import { indexCorpus } from '../../../src/activities/answer/index-corpus';
import { retrievePassages } from '../../../src/activities/answer/retrieve-passages';
import { readArtifact } from '../../../src/activities/shared/artifacts';
import { RetrievedPassages } from '../../../src/contracts/answer/answer-passage';
import type { Stores } from '../../../src/stores/stores';
import type { ThreadPool } from '../../../src/threads/pool';
import { prepareLmdb } from '../../stores/lmdb-under-test';
import { importTexts, portsOver, signal } from './corpus-under-test';
import { createTestThreads } from '../../support/test-threads';

const TEXTS: Record<string, string> = Object.fromEntries(
  ['copper', 'zinc', 'iron', 'iodine', 'selenium'].map((metal) => [
    metal,
    `The trial gave ${metal} to forty adults. After a year ${metal} had lowered the number of infections by half.`,
  ]),
);
const QUESTION = 'Does zinc lower the number of infections?';

let threads: ThreadPool;
let fixture: Awaited<ReturnType<typeof prepareLmdb>>;
let stores: Stores;
beforeAll(async () => (threads = await createTestThreads({ threads: 2 })));
afterAll(() => threads.close());
beforeEach(async () => {
  fixture = await prepareLmdb();
  stores = await fixture.connect();
});
afterEach(() => fixture.dispose());

const ask = async (of: Stores, manifestRef: string, runId = 'answer'): Promise<RetrievedPassages> => {
  const { passagesRef } = await retrievePassages(
    portsOver(of, threads),
    { run: { runId, question: QUESTION }, manifestRef, givenRef: null, queries: [], most: 3 },
    signal,
  );
  return readArtifact(of.content, passagesRef, RetrievedPassages);
};

describe('the index of a corpus', () => {
  it('is made once, and is there for who opens the store anew', async () => {
    const manifestRef = await importTexts(stores, TEXTS);
    const run = { runId: 'one' };
    expect(await indexCorpus(portsOver(stores, threads), { run, manifestRef }, signal)).toEqual({
      documents: 5,
      passages: 5,
      indexed: 5,
      warnings: [],
    });
    expect(await indexCorpus(portsOver(stores, threads), { run, manifestRef }, signal)).toMatchObject({
      indexed: 0,
    });
    const reopened = await fixture.connect();
    expect(await indexCorpus(portsOver(reopened, threads), { run, manifestRef }, signal)).toMatchObject({
      documents: 5,
      indexed: 0,
    });
    expect((await ask(reopened, manifestRef)).passages[0]?.sourceId).toBe('zinc');
  });

  it('reads only the sources that came or changed', async () => {
    const before = await importTexts(stores, TEXTS);
    await indexCorpus(portsOver(stores, threads), { run: { runId: 'one' }, manifestRef: before }, signal);
    const zinc = 'Zinc did nothing. The number of infections was the same with zinc as with a placebo.';
    const changed = { ...TEXTS, zinc, cobalt: 'Cobalt was not looked at by anybody in this trial.' };
    const after = await importTexts(stores, changed);
    const found = await indexCorpus(
      portsOver(stores, threads),
      { run: { runId: 'two' }, manifestRef: after },
      signal,
    );
    expect(found).toMatchObject({ documents: 6, indexed: 2 });
    expect((await ask(stores, after)).passages[0]?.text).toContain('the same with zinc as with a placebo');
    expect((await ask(stores, before)).passages[0]?.text).toContain('had lowered');
  });

  it('stays for a run that uses it when the run that made it is deleted, and goes with the last', async () => {
    const manifestRef = await importTexts(stores, TEXTS);
    await indexCorpus(portsOver(stores, threads), { run: { runId: 'one' }, manifestRef }, signal);
    await ask(stores, manifestRef, 'two');
    await stores.derived.clearRun('one');
    const other = await fixture.connect();
    const later = { run: { runId: 'three' }, manifestRef };
    expect(await indexCorpus(portsOver(other, threads), later, signal)).toMatchObject({ indexed: 0 });
    for (const runId of ['two', 'three']) await stores.derived.clearRun(runId);
    const last = await fixture.connect();
    expect(await indexCorpus(portsOver(last, threads), later, signal)).toMatchObject({ indexed: 5 });
  });

  it('is made once where many ask at once', async () => {
    const manifestRef = await importTexts(stores, TEXTS);
    const ports = portsOver(stores, threads);
    const made = await Promise.all(
      ['a', 'b', 'c', 'd'].map((runId) => indexCorpus(ports, { run: { runId }, manifestRef }, signal)),
    );
    expect(made.map(({ indexed }) => indexed).sort()).toEqual([0, 0, 0, 5]);
  });

  it('names a text that is not in the store', async () => {
    const manifestRef = await importTexts(stores, TEXTS, 'held');
    await stores.content.hold('list', [manifestRef]);
    await stores.content.clearRun('held');
    const opening = indexCorpus(portsOver(stores, threads), { run: { runId: 'one' }, manifestRef }, signal);
    await expect(opening).rejects.toThrow('is not in the content store');
  });
});
