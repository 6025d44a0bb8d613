import { indexCorpus } from '../../../src/activities/answer/index-corpus';
import { retrievePassages } from '../../../src/activities/answer/retrieve-passages';
import { readArtifact } from '../../../src/activities/shared/artifacts';
import { RetrievedPassages } from '../../../src/contracts/answer/answer-passage';
import type { Stores } from '../../../src/stores/stores';
import { importTexts, portsOver, signal } from './corpus-under-test';
import { storesUnderTest } from '../stores-under-test';

const TEXTS: Record<string, string> = Object.fromEntries(
  ['copper', 'zinc', 'iron', 'iodine', 'selenium'].map((metal) => [
    metal,
    `The trial gave ${metal} to forty adults. After a year ${metal} had lowered the number of infections by half.`,
  ]),
);
const QUESTION = 'Does zinc lower the number of infections?';

const under = storesUnderTest();

const ask = async (of: Stores, manifestRef: string, runId = 'answer'): Promise<RetrievedPassages> => {
  const { passagesRef } = await retrievePassages(
    portsOver(of, under.threads),
    { run: { runId, question: QUESTION }, manifestRef, givenRef: null, queries: [], most: 3 },
    signal,
  );
  return readArtifact(of.content, passagesRef, RetrievedPassages);
};

/** What indexing the sources of a manifest for a run takes. */
const indexed = (manifestRef: string, runId = 'one', stores = under.stores) =>
  indexCorpus(portsOver(stores, under.threads), { run: { runId }, manifestRef }, signal);

describe('the index of a corpus', () => {
  it('is made once, and is there for who opens the store anew', async () => {
    const manifestRef = await importTexts(under.stores, TEXTS);
    const made = await indexed(manifestRef);
    expect(made).toEqual({ documents: 5, passages: 5, indexed: 5, warnings: [] });
    expect(await indexed(manifestRef)).toMatchObject({ indexed: 0 });
    const reopened = await under.connect();
    expect(await indexed(manifestRef, 'one', reopened)).toMatchObject({ documents: 5, indexed: 0 });
    expect((await ask(reopened, manifestRef)).passages[0]?.sourceId).toBe('zinc');
  });

  it('reads only the sources that came or changed', async () => {
    const before = await importTexts(under.stores, TEXTS);
    await indexed(before);
    const zinc = 'Zinc did nothing. The number of infections was the same with zinc as with a placebo.';
    const changed = { ...TEXTS, zinc, cobalt: 'Cobalt was not looked at by anybody in this trial.' };
    const after = await importTexts(under.stores, changed);
    expect(await indexed(after, 'two')).toMatchObject({ documents: 6, indexed: 2 });
    expect((await ask(under.stores, after)).passages[0]?.text).toContain(
      'the same with zinc as with a placebo',
    );
    expect((await ask(under.stores, before)).passages[0]?.text).toContain('had lowered');
  });

  it('stays for a run that uses it when the run that made it is deleted, and goes with the last', async () => {
    const manifestRef = await importTexts(under.stores, TEXTS);
    await indexed(manifestRef);
    await ask(under.stores, manifestRef, 'two');
    await under.stores.derived.clearRun('one');
    const other = await under.connect();
    expect(await indexed(manifestRef, 'three', other)).toMatchObject({ indexed: 0 });
    for (const runId of ['two', 'three']) await under.stores.derived.clearRun(runId);
    const last = await under.connect();
    expect(await indexed(manifestRef, 'three', last)).toMatchObject({ indexed: 5 });
  });

  it('is made once where many ask at once', async () => {
    const manifestRef = await importTexts(under.stores, TEXTS);
    const made = await Promise.all(['a', 'b', 'c', 'd'].map((runId) => indexed(manifestRef, runId)));
    expect(made.map(({ indexed }) => indexed).sort()).toEqual([0, 0, 0, 5]);
  });

  it('names a text that is not in the store', async () => {
    const manifestRef = await importTexts(under.stores, TEXTS, 'held');
    await under.stores.content.hold('list', [manifestRef]);
    await under.stores.content.clearRun('held');
    await expect(indexed(manifestRef)).rejects.toThrow('is not in the content store');
  });
});
