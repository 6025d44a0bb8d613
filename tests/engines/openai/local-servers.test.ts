import {
  contextWindowOf,
  findLocalServers,
  isPrivateUrl,
  largestModel,
  type LocalServer,
  probeServer,
} from '../../../src/engines/openai/local-servers';
import {
  addressOf,
  type Beside,
  llamaCpp,
  lmStudio,
  olderLmStudio,
  ollama,
  startLocalServer,
} from '../../model-server/local-servers';
import type { ModelServer } from '../../model-server/model-server';

const ASKING = { limitMs: 5_000 };

const opened: ModelServer[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

async function started(beside: Beside): Promise<ModelServer> {
  const server = await startLocalServer(beside);
  opened.push(server);
  return server;
}

async function lookedAt(beside: Beside): Promise<LocalServer> {
  const { baseUrl } = await started(beside);
  const server = await probeServer(baseUrl, ASKING);
  if (server === null) throw new Error('nothing was found');
  return server;
}

describe('servers of models on this machine', () => {
  test('Ollama is told by its API, and its largest model that answers in words is taken', async () => {
    const server = await lookedAt(
      ollama([
        { name: 'nomic-embed-text:latest', parameterSize: '137M', family: 'nomic-bert' },
        { name: 'llama3.2:3b', parameterSize: '3.2B' },
        { name: 'qwen2.5:14b-base', parameterSize: '14.8B' },
        { name: 'gpt-oss:120b-cloud', parameterSize: '116.8B', remoteHost: 'https://ollama.com:443' },
        { name: 'llama3.1:8b', parameterSize: '8.0B' },
      ]),
    );
    expect(server).toMatchObject({
      kind: 'Ollama',
      slots: 1,
      baseUrl: expect.stringMatching(/\/v1$/) as string,
    });
    expect(largestModel([server])?.model).toMatchObject({ name: 'llama3.1:8b', size: 8 });
  });

  test.each([
    ['loaded', { loaded: 16_384, numCtx: 8_192 }, 16_384],
    ['set by its Modelfile', { numCtx: 8_192 }, 8_192],
    ['loaded to be asked', { loadsWith: 32_768 }, 32_768],
    ['not to be loaded', {}, 4_096],
    ['trained with less', { numCtx: 8_192, trained: 2_048 }, 2_048],
  ])('the window of a model of Ollama that is %s is known', async (_what, model, window) => {
    const server = await lookedAt(ollama([{ name: 'm:latest', ...model }]));
    expect(await contextWindowOf(server, 'm', ASKING, { mayLoad: true })).toBe(window);
  });

  test('a model is loaded only where it may be', async () => {
    const server = await lookedAt(ollama([{ name: 'm', loadsWith: 32_768 }]));
    expect(await contextWindowOf(server, 'm', ASKING)).toBe(4_096);
    expect(opened[0]?.requests.some(({ path }) => path === '/api/generate')).toBe(false);
  });

  test.each([
    [
      'LM Studio',
      lmStudio([
        { key: 'a/qwen', params: '7B', loaded: 6_000 },
        { key: 'text-embedding-x', type: 'embedding' },
      ]),
    ],
    [
      'an older LM Studio',
      olderLmStudio([
        { id: 'qwen-7b', loaded: 6_000 },
        { id: 'x', type: 'embeddings' },
      ]),
    ],
  ])('%s says the window of what it has loaded', async (_what, beside) => {
    const server = await lookedAt(beside);
    expect(server.kind).toBe('LM Studio');
    const largest = largestModel([server])?.model;
    expect(largest).toMatchObject({ size: 7, contextTokens: 6_000 });
    expect(server.models.filter(({ isChat }) => isChat)).toHaveLength(1);
  });

  test('llama.cpp says its window and its slots', async () => {
    const server = await lookedAt(llamaCpp({ id: 'ggml-org/gemma.gguf', nCtx: 8_192, slots: 4 }));
    expect(server).toMatchObject({ kind: 'llama.cpp', slots: 4 });
    expect(await contextWindowOf(server, 'ggml-org/gemma.gguf', ASKING)).toBe(8_192);
    expect(server.models[0]?.size).toBeCloseTo(8.03);
  });

  test.each([
    ['llama3.1:8b', 8],
    ['qwen2.5-0.5b-instruct', 0.5],
    ['smollm2-135m', 0.135],
    ['mixtral-8x7b-instruct', 56],
    ['gpt-oss', null],
  ])('the name %s says a size of %s billions', async (name, size) => {
    const server = await lookedAt(olderLmStudio([{ id: name }]));
    expect(server.models[0]?.size).toBe(size);
  });

  test('what is no server of models, and what does not answer, is passed over', async () => {
    const other = await started(() => false);
    const good = await started(ollama([{ name: 'm' }]));
    const servers = await findLocalServers([addressOf(other), '127.0.0.1:1', addressOf(good)], ASKING);
    expect(servers.map(({ address }) => address)).toEqual([addressOf(good)]);
  });

  test.each([
    ['http://127.0.0.1:8080/v1', true],
    ['http://[::1]:8080', true],
    ['http://192.168.1.20:11434/v1', true],
    ['http://ollama:11434/v1', true],
    ['http://box.local:1234', true],
    ['https://api.openai.com/v1', false],
    ['https://8.8.8.8/v1', false],
  ])('%s is on a private network: %s', (url, isPrivate) => {
    expect(isPrivateUrl(url)).toBe(isPrivate);
  });
});
