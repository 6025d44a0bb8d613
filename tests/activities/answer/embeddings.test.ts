import { indexCorpus } from '../../../src/activities/answer/index-corpus';
import { retrievePassages } from '../../../src/activities/answer/retrieve-passages';
import { readArtifact } from '../../../src/activities/shared/artifacts';
import type { ActivityPorts } from '../../../src/activities/shared/ports';
import { RetrievedPassages } from '../../../src/contracts/answer/answer-passage';
import { createEmbedder } from '../../../src/app/create-engines';
import { createPaces } from '../../../src/engines/model/paid/paces';
import { ConfigSchema } from '../../../src/config/schema';
import type { ThreadPool } from '../../../src/threads/pool';
import {
  type Behaviour,
  type ModelServer,
  sendJson,
  startModelServer,
} from '../../model-server/model-server';
import { prepareLmdb } from '../../stores/lmdb-under-test';
import { importTexts, portsOver, signal } from './corpus-under-test';
import { createTestThreads } from '../../support/test-threads';

const TEXTS = {
  car: 'An automobile of that year needed twelve litres of petrol for a hundred kilometres.',
  house: 'The house was built of brick and had three chimneys, two of them on the north side.',
  boat: 'A vehicle for water was called so in the register, and vehicle owners paid a tax for it.',
};
const QUESTION = 'How much fuel does a vehicle burn?';

/** Two directions: what is about driving, and all else. */
const meaning: Behaviour = ({ body }, response) => {
  const texts = body?.['input'] as string[]; // what the client sends
  const data = texts.map((text, index) => ({
    index,
    embedding: /automobile|fuel/.test(text) ? [1, 0.1] : [0.1, 1],
  }));
  sendJson(response, 200, { object: 'list', data });
};

let threads: ThreadPool;
let server: ModelServer;
let fixture: Awaited<ReturnType<typeof prepareLmdb>>;
beforeAll(async () => (threads = await createTestThreads({ threads: 2 })));
afterAll(() => threads.close());
beforeEach(async () => (fixture = await prepareLmdb()));
afterEach(async () => {
  await server.close();
  await fixture.dispose();
});

const askedTexts = (): string[] =>
  server.requests.flatMap(({ body }) => (body?.['input'] as string[] | undefined) ?? []);

/** Ports of a process of its own that asks the server for embeddings. */
async function portsAsking(): Promise<ActivityPorts> {
  const stores = await fixture.connect();
  const config = ConfigSchema.parse({ openai: { baseUrl: server.baseUrl, models: { embedding: 'near' } } });
  const embedder = createEmbedder(config, { paces: createPaces(stores.limits) });
  return portsOver(stores, threads, embedder);
}

async function askWith(embeddings: Behaviour | undefined) {
  server = await startModelServer([], embeddings === undefined ? {} : { embeddings });
  const ports = await portsAsking();
  const manifestRef = await importTexts(ports, TEXTS);
  async function ask(runId = 'answer') {
    const run = { runId, question: QUESTION };
    const asked = { run, manifestRef, givenRef: null, queries: [], most: 2 };
    const refs = await retrievePassages(ports, asked, signal);
    return { ...refs, found: await readArtifact(ports.content, refs.passagesRef, RetrievedPassages) };
  }
  return { manifestRef, ask };
}

describe('embeddings of an endpoint', () => {
  it('find what is said in other words, beside what has the words', async () => {
    const { ask } = await askWith(meaning);
    const { found, warnings } = await ask();
    expect(found.passages.map(({ sourceId }) => sourceId).sort()).toEqual(['boat', 'car']);
    expect(warnings).toEqual([]);
    expect(server.requests[0]?.body).toMatchObject({ model: 'near' });
  });

  it('are paid for once, whoever asks', async () => {
    const { ask, manifestRef } = await askWith(meaning);
    await ask('one');
    expect(askedTexts()).toHaveLength(4);
    const again = await portsAsking();
    await indexCorpus(again, { run: { runId: 'two' }, manifestRef }, signal);
    const more = await importTexts(again, {
      ...TEXTS,
      train: 'A train needs less of it for each passenger.',
    });
    await indexCorpus(again, { run: { runId: 'two' }, manifestRef: more }, signal);
    expect(askedTexts()).toHaveLength(5);
  });

  it('are done without, with a warning, where the endpoint has none, fails or answers nonsense', async () => {
    const refused = await askWith(undefined);
    const { found, warnings } = await refused.ask();
    expect(found.passages[0]?.sourceId).toBe('boat');
    expect(warnings.map(({ code }) => code)).toEqual(['embeddings-failed']);
    expect(warnings[0]?.message).toContain('no embeddings at');
    await server.close();
    for (const embeddings of [failing, nonsense]) {
      const { ask } = await askWith(embeddings);
      expect((await ask()).warnings).toHaveLength(1);
      const before = server.requests.length;
      expect((await ask()).warnings).toHaveLength(1);
      expect(server.requests).toHaveLength(before);
      if (embeddings === failing) await server.close();
    }
  });
});

const failing: Behaviour = (_request, response) => sendJson(response, 500, { error: { message: 'down' } });
const nonsense: Behaviour = (_request, response) => sendJson(response, 200, { data: [{ embedding: [] }] });
