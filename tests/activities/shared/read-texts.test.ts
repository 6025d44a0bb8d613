import { readTexts } from '../../../src/activities/shared/read-texts';
import { storesUnderTest } from '../stores-under-test';

const under = storesUnderTest();
const TEXTS = ['Walking helps.', 'Singing helps.', 'Fasting does not.'];

describe('texts that several activities read', () => {
  it('are loaded once, by however many they are asked for, and at once', async () => {
    const { content } = under.stores;
    const refs = await content.storeBatch('run', TEXTS);
    const [first, second] = await Promise.all([readTexts(content, refs), readTexts(content, refs.slice(1))]);
    const again = await readTexts(content, [...refs, ...refs]);
    expect([...first.values()]).toEqual(TEXTS);
    expect([...second.values()]).toEqual(TEXTS.slice(1));
    expect([...again]).toEqual(refs.map((ref, at) => [ref, TEXTS[at]]));
    expect((await content.statistics()).retrievals).toEqual({ requested: 3, found: 3, missing: 0 });
  });

  it('are not there where the store does not have them, and are found once it has', async () => {
    const { content } = under.stores;
    const [ref = ''] = await content.storeBatch('run', ['Walking helps.']);
    await content.clearRun('run');
    expect(await readTexts(content, [ref])).toEqual(new Map());
    await content.store('run', 'Walking helps.');
    expect(await readTexts(content, [ref])).toEqual(new Map([[ref, 'Walking helps.']]));
  });
});
