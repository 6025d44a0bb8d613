import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSectionStream } from '../../src/activities/publish-events';
import { type SectionText, sectionTexts } from '../../src/report/citations';
import { openStores } from '../../src/stores/open-stores';
import { StaleGenerationError } from '../../src/stores/store-errors';
import type { Stores } from '../../src/stores/stores';

let folder: string;
let stores: Stores;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colligate-stream-'));
  stores = await openStores({ stores: 'lmdb', dataDir: folder });
});
afterAll(async () => {
  await stores.close();
  await rm(folder, { recursive: true });
});

const TEXT = 'One paragraph.\n\nAnother one.\n\nAnd the last.';
const open = (runId: string): ReturnType<typeof openSectionStream> =>
  openSectionStream(stores.events, runId, 's', { pass: 4, step: 'write-section' });

async function told(runId: string): Promise<SectionText | undefined> {
  return sectionTexts(await stores.events.read(runId)).get('s');
}

test('a text that came in pieces is in the log paragraph by paragraph, and said to be whole', async () => {
  const stream = await open('pieces');
  stream.write(TEXT.slice(0, 10));
  stream.write(TEXT.slice(10, 20));
  await stream.finish(TEXT);
  expect(await told('pieces')).toEqual({ generation: 1, start: 0, text: TEXT, isWritten: true });
  const before = await stores.events.read('pieces');
  expect(before.at(-1)).toMatchObject({ type: 'section-written', payload: { chars: TEXT.length } });

  // An attempt that is made again says nothing twice.
  const again = await open('pieces');
  again.write(TEXT.slice(0, 12));
  await again.finish(TEXT);
  expect(await stores.events.read('pieces')).toEqual(before);
});

test.each([
  ['shorter', TEXT.slice(0, 14)],
  ['longer', `${TEXT}\n\nAnd more.`],
  ['in other words', 'Quite different.'],
])('a text that was whole and comes again %s is told anew', async (how, other) => {
  const runId = how.replaceAll(' ', '-');
  await (await open(runId)).finish(TEXT);
  await (await open(runId)).finish(other);
  expect(await told(runId)).toEqual({ generation: 2, start: 0, text: other, isWritten: true });
});

test('an attempt that was taken for dead and writes beside the living one does not garble the text', async () => {
  const dead = await open('garbled');
  const living = await open('garbled');
  dead.write('Other words that go on for long. ');
  await logged('garbled');
  living.write(TEXT.slice(0, 10));
  living.write(TEXT.slice(10, 25));
  await living.finish(TEXT);
  expect(await told('garbled')).toMatchObject({ text: TEXT, isWritten: true });

  dead.write('They are refused now.');
  await expect(dead.finish('Other words that go on for long. They are refused now.')).rejects.toThrow(
    StaleGenerationError,
  );
  expect(await told('garbled')).toMatchObject({ text: TEXT, isWritten: true });
});

test('an attempt that was taken for dead cannot say that its text is the one', async () => {
  const dead = await open('late');
  dead.write(TEXT);
  await logged('late');
  await (await open('late')).finish('Quite different.');
  await expect(dead.finish(TEXT)).rejects.toThrow(StaleGenerationError);
  expect(await told('late')).toMatchObject({ generation: 2, text: 'Quite different.', isWritten: true });
});

/** Until what a stream was given is in the log. */
async function logged(runId: string): Promise<void> {
  while ((await stores.events.read(runId)).length === 0) await new Promise(setImmediate);
}
