import { readArtifact } from '../../src/activities/artifacts';
import type { ActivityPorts } from '../../src/activities/ports';
import { indexCorpus, retrievePassages } from '../../src/activities/retrieve-passages';
import { createEmbedder } from '../../src/app/model-endpoint';
import { RetrievedPassages } from '../../src/contracts/answer';
import { AnswerSettings } from '../../src/contracts/run-settings';
import { ConfigSchema } from '../../src/contracts/settings';
import { createRateLimiters } from '../../src/engines/model/rate-limiter';
import type { ThreadPool } from '../../src/engines/thread-pool';
import type { Stores } from '../../src/stores/stores';
import { type Behaviour, type ModelServer, sendJson, startModelServer } from '../model-server/model-server';
import { prepareLmdb } from '../stores/lmdb-under-test';
import { createTestThreads } from '../support/test-threads';
import { importTexts, portsOver, signal } from './corpus-under-test';
import { storesUnderTest } from './stores-under-test';

const under = storesUnderTest();

describe('embeddings', () => {
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
    const embedder = createEmbedder(config, { paces: createRateLimiters() });
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

  const failing: Behaviour = (_request, response) => sendJson(response, 500, { error: { message: 'down' } });

  const nonsense: Behaviour = (_request, response) => sendJson(response, 200, { data: [{ embedding: [] }] });

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

describe('the index of a corpus', () => {
  const TEXTS: Record<string, string> = Object.fromEntries(
    ['copper', 'zinc', 'iron', 'iodine', 'selenium'].map((metal) => [
      metal,
      `The trial gave ${metal} to forty adults. After a year ${metal} had lowered the number of infections by half.`,
    ]),
  );

  const QUESTION = 'Does zinc lower the number of infections?';

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

describe('sources that fit into half of the model’s window', () => {
  const QUESTION = 'Why do airports of 500,000 passengers lose money?';
  /** The causal results share no word with the question. */
  const CAUSES = ['Fixed costs of fire services weigh most.', 'Runway upkeep is paid whoever lands.'];
  const filler = (topic: string): string =>
    Array.from({ length: 60 }, (_, at) => `Airports lose money on passengers in ${topic} ${at}.`).join(' ');
  const TEXTS = {
    first: `${filler('the north')} ${CAUSES[0]} ${filler('the west')}`,
    second: `${filler('the south')} ${CAUSES[1]} ${filler('the east')}`,
  };

  const modelOf = (contextTokens: number) => ({ name: 'reader', contextTokens, price: null });

  async function retrieved(contextTokens: number, settings: Partial<AnswerSettings> = {}, engine = 'openai') {
    const manifestRef = await importTexts(under.stores, TEXTS);
    const model = modelOf(contextTokens);
    const { passagesRef, ...told } = await retrievePassages(
      portsOver(under.stores, under.threads),
      {
        run: {
          runId: 'answer',
          question: QUESTION,
          engine: engine as 'openai',
          models: { fast: model, strong: model, critic: model },
          answers: AnswerSettings.parse(settings),
        },
        manifestRef,
        givenRef: null,
        queries: [],
        most: 3,
      },
      signal,
    );
    const found = await readArtifact(under.stores.content, passagesRef, RetrievedPassages);
    return { ...told, found };
  }

  it('are read whole and in their order, without repetition', async () => {
    const { found, isWhole } = await retrieved(32_000);
    expect(isWhole).toBe(true);
    for (const [id, text] of Object.entries(TEXTS)) {
      const own = found.passages.filter(({ sourceId }) => sourceId === id);
      expect(own.map((passage) => passage.text).join(' ')).toBe(text);
      for (const { start, end, text: said } of own) expect(text.slice(start, end)).toBe(said);
    }
    expect(found.passages.map(({ id }) => id)).toEqual(found.passages.map((_, at) => `P${at + 1}`));
    expect(found.passages.map(({ sourceId }) => sourceId)).toEqual(
      found.passages.map(({ sourceId }) => sourceId).sort(),
    );
  });

  it.each([
    ['a smaller window', 4_000, {}, 'openai'],
    ['a caller who has contexts compressed', 32_000, { compressAboveChars: 6_000 }, 'openai'],
    ['no model', 32_000, {}, 'extractive'],
  ])('are searched with %s', async (_what, contextTokens, settings, engine) => {
    const { found, isWhole } = await retrieved(contextTokens, settings, engine);
    expect(isWhole).toBe(false);
    expect(found.passages).toHaveLength(3);
  });
});
