import { Secret } from '../../../src/platform/secret';
import type { ModelFailure } from '../../../src/engines/model/port/model-failure';
import { answers, refuses, sends } from '../../model-server/behaviours';
import type { ModelServer, ModelServerOptions, Script } from '../../model-server/model-server';
import { clientOf, failureOf, KEY, NEVER, REQUEST, SCHEMA_REQUEST, withServer } from './asking';

const USAGE = { inputTokens: 11, outputTokens: 7 };
const GOOD = { text: 'Crabs.', finishReason: 'stop', usage: USAGE, rung: null };

/** What asking a server of this script fails with. */
const failureWith = (script: Script, options?: ModelServerOptions): Promise<ModelFailure> =>
  failureOf(withServer(script, (server) => clientOf(server).ask(REQUEST, null, { signal: NEVER }), options));

describe('A request', () => {
  it('has the messages, the limits and nothing else', async () => {
    await withServer([answers('Crabs.')], async (server) => {
      expect(await clientOf(server).ask(REQUEST, null, { signal: NEVER })).toEqual(GOOD);
      expect(server.asked[0]?.body).toEqual({
        model: 'small-1',
        messages: REQUEST.messages,
        temperature: 0,
        max_tokens: 500,
        stream: true,
        stream_options: { include_usage: true },
      });
    });
  });

  it('has the key in one header, and no other headers than HTTP needs', async () => {
    await withServer([answers('Crabs.')], async (server) => {
      await clientOf(server).ask(REQUEST, null, { signal: NEVER });
      const { headers, path, body } = server.asked[0] ?? {};
      expect(headers?.authorization).toBe(`Bearer ${KEY}`);
      expect(
        Object.keys(headers ?? {})
          .sort()
          .join(' '),
      ).toBe('accept accept-encoding authorization connection content-length content-type host user-agent');
      expect(JSON.stringify([path, body])).not.toContain(KEY);
    });
  });

  it('has no key where there is none, whatever the environment holds', async () => {
    const names = ['OPENAI_API_KEY', 'OPENAI_ADMIN_KEY', 'OPENAI_ORG_ID', 'OPENAI_CUSTOM_HEADERS'];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = name === 'OPENAI_CUSTOM_HEADERS' ? 'X-Mine: 1' : 'other';
    try {
      await withServer([answers('Crabs.')], async (server) => {
        await clientOf(server, { apiKey: null }).ask(REQUEST, null, { signal: NEVER });
        const { headers } = server.asked[0] ?? {};
        expect(headers?.authorization).toBeUndefined();
        expect(JSON.stringify(headers)).not.toContain('other');
        expect(headers?.['x-mine']).toBeUndefined();
      });
    } finally {
      for (const [index, name] of names.entries()) {
        if (before[index] === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = before[index];
      }
    }
  });

  it('is a stream that somebody may listen to, and asks for its usage', async () => {
    await withServer([answers('Crabs and snails.')], async (server) => {
      const heard: string[] = [];
      const onText = (text: string): unknown => heard.push(text);
      const response = await clientOf(server).ask(REQUEST, null, { signal: NEVER, onText });
      expect(response).toEqual({ ...GOOD, text: 'Crabs and snails.' });
      expect(heard.length).toBeGreaterThan(1);
      expect(heard.join('')).toBe('Crabs and snails.');
      expect(server.asked[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    });
  });

  it('tells of the schema as the rung says', async () => {
    await withServer([answers('{}'), answers('{}'), answers('{}')], async (server) => {
      const client = clientOf(server);
      for (const rung of ['json-schema', 'json-object', 'prompt-only'] as const)
        expect(await client.ask(SCHEMA_REQUEST, rung, { signal: NEVER })).toMatchObject({ rung });
      const json_schema = { ...SCHEMA_REQUEST.schema, strict: true };
      const sent = server.asked.map(({ body }) => body?.['response_format']);
      expect(sent).toEqual([{ type: 'json_schema', json_schema }, { type: 'json_object' }, undefined]);
    });
  });

  it('is not sent with a key that no header can carry, and the key is not told', async () => {
    await withServer([], async (server) => {
      const client = clientOf(server, { apiKey: new Secret('sk-secret\nX-Evil: 1') });
      const failure = await failureOf(client.ask(REQUEST, null, { signal: NEVER }));
      expect(failure).toMatchObject({ kind: 'wrong-key', retryable: false });
      expect(failure.message).not.toContain('secret');
      expect(server.requests).toHaveLength(0);
    });
  });
});

describe('The address of an API', () => {
  it.each([
    ['with /v1', '/v1', '/v1'],
    ['with a slash at the end', '/v1/', '/v1'],
    ['with the path of a request', '/v1/chat/completions', '/v1'],
    ['as a bare host', '', '/v1'],
    ['as a bare host with a slash', '/', '/v1'],
    ['with another path', '/api/openai', '/api/openai'],
    ['without the /v1 behind another path', '/api', '/api/v1'],
    ['as a bare host without any /v1', '', ''],
    ['with a /v1 that it has not got', '/v1', ''],
    ['with a version of its own', '/v1beta/openai', '/v1beta/openai'],
  ])('can be written %s (%s for %s)', async (_name, written, prefix) => {
    await withServer(
      [answers('Crabs.'), answers('Snails.')],
      async (server) => {
        const client = clientOf({ baseUrl: `${server.origin}${written}` });
        expect(await client.ask(REQUEST, null, { signal: NEVER })).toEqual(GOOD);
        const tries = server.requests.length;
        // What was found out is remembered.
        await client.ask(REQUEST, null, { signal: NEVER });
        expect(server.requests).toHaveLength(tries + 1);
      },
      { prefix },
    );
  });

  it('can have a query', async () => {
    await withServer([answers('Crabs.')], async (server) => {
      const client = clientOf({ baseUrl: `${server.baseUrl}/?api-version=2` });
      await client.ask(REQUEST, null, { signal: NEVER });
      expect(server.asked[0]?.path).toBe('/v1/chat/completions?api-version=2');
    });
  });

  it('is what a failure names where nothing is there', async () => {
    await withServer(
      [],
      async ({ origin }) => {
        const failure = await failureOf(clientOf({ baseUrl: origin }).ask(REQUEST, null, { signal: NEVER }));
        expect(failure).toMatchObject({ kind: 'bad-request', retryable: false, status: 404 });
        expect(failure.message).toContain(`There are no chat completions at ${origin}/v1 (404)`);
        expect(failure.message).toContain('OPENAI_BASE_URL');
      },
      { prefix: '/elsewhere' },
    );
  });

  it('is not followed elsewhere', async () => {
    const failure = await failureWith([
      sends(307, '', { location: 'http://127.0.0.1:9/v1/chat/completions' }),
    ]);
    expect(failure).toMatchObject({ kind: 'bad-request', retryable: false, status: 307 });
    expect(failure.message).toContain('redirects');
  });

  it('of a web page is told from that of an API', async () => {
    const page = '<!doctype html><title>Welcome</title>';
    const failure = await failureWith([sends(200, page, { 'content-type': 'text/html' })]);
    expect(failure).toMatchObject({ retryable: false });
    expect(failure.message).toContain('OPENAI_BASE_URL');
  });
});

describe('The list of models', () => {
  it('gives their names, and fails by name where there is none', async () => {
    const models = ['small-1', 'large-2', 'small-1'];
    const list = (server: ModelServer): Promise<string[]> => clientOf(server).listModels(NEVER);
    expect(await withServer([], list, { models })).toEqual(['small-1', 'large-2']);
    expect(await failureOf(withServer([], list))).toMatchObject({ kind: 'bad-request', status: 404 });
  });

  it('is in the failure about a model that does not exist', async () => {
    const models = Array.from({ length: 25 }, (_, index) => `model-${index}`);
    const unknown = refuses(404, { message: 'The model `small-1` does not exist', code: 'model_not_found' });
    const failure = await failureWith([unknown], { models });
    expect(failure).toMatchObject({ kind: 'unknown-model', retryable: false, status: 404 });
    expect(failure.message).toMatch(/has no model "small-1".* model-0, model-1.*model-19 and 5 more/);
    expect(failure.message).not.toContain('model-20');
  });

  it('tells an unknown model from a missing API where the endpoint explains nothing', async () => {
    await withServer(
      (request) => (request.body?.['model'] === 'other' ? answers('Crabs.') : sends(404, '')),
      async (server) => {
        const client = clientOf(server);
        await client.ask({ ...REQUEST, model: 'other' }, null, { signal: NEVER });
        const failure = await failureOf(client.ask(REQUEST, null, { signal: NEVER }));
        expect(failure).toMatchObject({ kind: 'unknown-model', status: 404 });
        expect(failure.message).toContain('It has other');
      },
      { models: ['other'] },
    );
  });
});
