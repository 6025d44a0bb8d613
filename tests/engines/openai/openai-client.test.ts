import type { ModelFailure, ModelRequest, ModelResponse } from '../../../src/engines/model/port';
import { retryAfterInText, retryAfterMs } from '../../../src/engines/openai/endpoint-errors';
import { Secret } from '../../../src/lib/process';
import {
  answers,
  completion,
  delta,
  goesSilent,
  hangs,
  refuses,
  sends,
  sendsJson,
  streams,
  tears,
} from '../../model-server/behaviours';
import type {
  Behaviour,
  ModelServer,
  ModelServerOptions,
  RecordedRequest,
  Script,
} from '../../model-server/model-server';
import { clientOf, failureOf, KEY, NEVER, REQUEST, SCHEMA_REQUEST, withServer } from './asking';

describe('requests to an endpoint', () => {
  const USAGE = { inputTokens: 11, outputTokens: 7 };

  const GOOD = { text: 'Crabs.', finishReason: 'stop', usage: USAGE, rung: null };

  /** What asking a server of this script fails with. */
  const failureWith = (script: Script, options?: ModelServerOptions): Promise<ModelFailure> =>
    failureOf(
      withServer(script, (server) => clientOf(server).ask(REQUEST, null, { signal: NEVER }), options),
    );

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

    it('is what a failure names where nothing is there', async () => {
      await withServer(
        [],
        async ({ origin }) => {
          const failure = await failureOf(
            clientOf({ baseUrl: origin }).ask(REQUEST, null, { signal: NEVER }),
          );
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
      const unknown = refuses(404, {
        message: 'The model `small-1` does not exist',
        code: 'model_not_found',
      });
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
});

describe('parameters that an endpoint refuses', () => {
  const has = (request: RecordedRequest, name: string): boolean => name in (request.body ?? {});

  /** An endpoint that refuses a request by its parameters, and otherwise answers. */
  const picky =
    (refusal: (request: RecordedRequest) => Behaviour | null) =>
    (request: RecordedRequest): Behaviour =>
      refusal(request) ?? answers('Crabs.');

  const NEW_MODEL = {
    max_tokens: "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    temperature: "'temperature' does not support 0 with this model. Only the default (1) value is supported.",
  };

  const newModel = picky((request) => {
    const [param, message] = Object.entries(NEW_MODEL).find(([name]) => has(request, name)) ?? [];
    return param === undefined ? null : refuses(400, { message, param, code: 'unsupported_parameter' });
  });

  it('is left out or replaced, and that is remembered for the model', async () => {
    await withServer(newModel, async (server) => {
      const client = clientOf(server);
      expect((await client.ask(REQUEST, null, { signal: NEVER })).text).toBe('Crabs.');
      expect(server.asked).toHaveLength(3);
      expect(server.asked[2]?.body).toEqual({
        model: 'small-1',
        messages: REQUEST.messages,
        max_completion_tokens: 500,
        stream: true,
        stream_options: { include_usage: true },
      });
      await client.ask(REQUEST, null, { signal: NEVER });
      expect(server.asked).toHaveLength(4);
      await client.ask({ ...REQUEST, model: 'other' }, null, { signal: NEVER });
      expect(server.asked[4]?.body).toMatchObject({ max_tokens: 500, temperature: 0 });
    });
  });

  it.each<[string, Behaviour]>([
    ['by name', refuses(400, { message: 'Unknown parameter: stream_options' })],
    ['by its part', refuses(422, { message: 'include_usage is not valid here' })],
    ['in a list', sendsJson({ detail: [{ loc: ['body', 'stream_options'], msg: 'Not permitted' }] }, 422)],
    ['without an explanation', refuses(400, { message: 'Bad Request' })],
    ['without a body', (_request, response) => void response.writeHead(400).end()],
  ])('may be the wish for a stream’s usage: %s', async (_name, refusal) => {
    const script = picky((request) => (has(request, 'stream_options') ? refusal : null));
    await withServer(script, async (server) => {
      const client = clientOf(server);
      const heard: string[] = [];
      const options = { signal: NEVER, onText: (text: string) => heard.push(text) };
      expect(await client.ask(REQUEST, null, options)).toMatchObject({ text: 'Crabs.', usage: null });
      expect(heard.join('')).toBe('Crabs.');
      await client.ask(REQUEST, null, options);
      expect(server.asked).toHaveLength(3);
    });
  });

  it.each<[string, Behaviour]>([
    ['by name', refuses(400, { message: 'Unsupported value: stream', param: 'stream' })],
    ['in words', refuses(422, { message: 'Streaming is not supported for this model.' })],
    ['without an explanation', refuses(400, { message: 'Bad Request' })],
  ])('may be the stream, which is learned: %s', async (_name, refusal) => {
    const script = picky((request) => (request.body?.['stream'] === true ? refusal : null));
    await withServer(script, async (server) => {
      const client = clientOf(server);
      expect(await client.ask(REQUEST, null, { signal: NEVER })).toMatchObject({ text: 'Crabs.' });
      const tries = server.asked.length;
      await client.ask(REQUEST, null, { signal: NEVER });
      expect(server.asked).toHaveLength(tries + 1);
      expect(server.asked.at(-1)?.body).toMatchObject({ stream: false });
    });
  });
});

describe('secrets in failures', () => {
  const SENT =
    'The CANARY-7731 harvest failed near Ludlow.\nNobody “counted the herrings” twice, said ZQX. ニシン.';

  const CONFIDING: ModelRequest = {
    ...REQUEST,
    messages: [{ role: 'user', content: `Read this: ${SENT} And sum it up.` }],
  };

  const failureWith = (behaviour: Behaviour): Promise<ModelFailure> =>
    failureOf(
      withServer(
        () => behaviour,
        (server) => clientOf(server).ask(CONFIDING, null, { signal: NEVER, onText: () => undefined }),
      ),
    );

  /** Everything of a failure that a log or a history could keep. */
  async function told(behaviour: Behaviour): Promise<string> {
    const failure = await failureWith(behaviour);
    expect(failure.cause).toBeUndefined();
    return `${failure.message} ${failure.stack ?? ''} ${JSON.stringify(failure)}`;
  }

  it.each(
    Object.entries<string>({
      'the whole prompt': SENT,
      'the prompt as JSON': JSON.stringify({ role: 'user', content: SENT }),
      'the prompt as ASCII': JSON.stringify(SENT).replace(
        /[^ -~]/g,
        (mark) => `\\u${mark.charCodeAt(0).toString(16)}`,
      ),
      'the prompt in capitals': SENT.toUpperCase(),
      'a word of it': 'Invalid input: CANARY-7731',
      'a quotation of it': "Unexpected 'herrings' in the input",
      'the end of it': 'Stopped before ... said ZQX.',
      'a word as ASCII': "Unknown: '\\u30cb\\u30b7\\u30f3'",
    }),
  )('does not repeat %s', async (_name, echo) => {
    for (const behaviour of [
      refuses(400, { message: `Cannot take this: ${echo}` }),
      refuses(500, { message: echo }),
      sends(500, echo, { 'content-type': 'text/plain' }),
      sendsJson({ error: `Bad: ${echo}` }),
      sendsJson({ detail: [{ loc: ['body'], msg: `Value error, ${echo}`, input: { content: echo } }] }, 422),
      streams([{ error: { message: echo } }]),
    ]) {
      const text = (await told(behaviour)).toLowerCase();
      expect(text).not.toMatch(/canary|ludlow|herrings|counted|zqx|harvest|ニシン|\\u30/);
    }
  });

  it.each([
    `Incorrect API key provided: ${KEY}.`,
    `Incorrect API key provided: ${KEY.slice(0, 9)}***${KEY.slice(-4)}. You can find it elsewhere`,
    `Authorization: Bearer ${KEY} was refused`,
    `Bad header: ${Buffer.from(`user:${KEY}`).toString('base64')}`,
    `Key=${KEY.slice(5)} unknown`,
    `See https://gateway.example/v1?api_key=${KEY}&x=1`,
    'See http://me:pw81@gateway.example/v1?sig=S4mp1e#x81',
    'Another key: sk-proj-Zx81mmQpPq0aB71c',
    'Another key: AIzaSyD4q81mmQpPq0aB71cLL',
    'Another key: gsk_Zx81mmQpPq0aB71c',
  ])('has no key in it: %s', async (message) => {
    const text = await told(refuses(401, { message }));
    expect(text).not.toContain(KEY);
    const encoded = Buffer.from(`user:${KEY}`).toString('base64').slice(0, 12);
    for (const piece of [
      KEY.slice(-4),
      KEY.slice(5, 12),
      encoded,
      'Zx81mm',
      'pw81',
      'S4mp1e',
      'x81',
      'D4q81mm',
    ])
      expect(text).not.toContain(piece);
  });

  it('says what the endpoint says in one short line that a terminal can show', async () => {
    const message = `CUDA out of memory\u001b[31m\u0007\u202e on device 0.\n\n\tTry a smaller batch.${' More.'.repeat(500)}`;
    const failure = await failureWith(refuses(500, { message }));
    expect(failure.message).toContain('CUDA out of memory on device 0. Try a smaller batch. More.');
    expect(failure.message).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(failure.message.length).toBeLessThan(400);
  });

  it('shows a web page’s title and none of its rest', async () => {
    const page =
      '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx here</body></html>';
    const text = await told(sends(502, page, { 'content-type': 'text/html' }));
    expect(text).toContain('502 Bad Gateway');
    expect(text).not.toContain('nginx');
  });
});

describe('answers of an endpoint', () => {
  type Settings = Parameters<typeof clientOf>[1];

  function ask(behaviour: Behaviour, settings?: Settings): Promise<ModelResponse> {
    return withServer([behaviour], (server) =>
      clientOf(server, settings).ask(REQUEST, null, { signal: NEVER }),
    );
  }

  /** The answer of a stream, and what its listener heard of it. */
  function askStream(behaviour: Behaviour, settings?: Settings): Promise<ModelResponse & { heard: string }> {
    return withServer([behaviour], async (server) => {
      let heard = '';
      const onText = (text: string): void => void (heard += text);
      const response = await clientOf(server, settings).ask(REQUEST, null, { signal: NEVER, onText });
      return { ...response, heard };
    });
  }

  function withChoice(choice: Record<string, unknown>): Behaviour {
    return sendsJson({ choices: [{ index: 0, finish_reason: 'stop', ...choice }] });
  }

  const CUT_SHORT = delta('Cra');

  const HTML = { 'content-type': 'text/html; charset=utf-8' };

  const part = (text: string): unknown => ({ type: 'text', text });

  describe('An answer at once', () => {
    it.each([
      ['stop', 'stop'],
      ['eos_token', 'stop'],
      ['length', 'length'],
      ['MAX_TOKENS', 'length'],
      ['content_filter', 'content-filter'],
      ['SAFETY', 'content-filter'],
      ['tool_calls', 'stop'],
      ['something new', 'other'],
      [null, 'other'],
    ])('ends as %s, which is %s', async (finishReason, expected) => {
      expect((await ask(answers('x', { finishReason }))).finishReason).toBe(expected);
    });

    it.each([
      ['null', null, ''],
      ['missing', undefined, ''],
      ['a list of parts', [part('a'), part('b')], 'ab'],
      ['a list with thinking', [{ type: 'thinking', thinking: [] }, part('b')], 'b'],
      ['a list of strings', ['a', 'b'], 'ab'],
    ])('may have content that is %s', async (_name, content, text) => {
      expect((await ask(withChoice({ message: { role: 'assistant', content } }))).text).toBe(text);
    });

    it('keeps thinking in its text, and leaves out what came beside it', async () => {
      const { text } = await ask(answers('<think>hm</think>Crabs.', { reasoning: 'Beside.' }));
      expect(text).toBe('<think>hm</think>Crabs.');
    });

    it('is a refusal of the content where the model refuses', async () => {
      const refused = withChoice({ message: { content: null, refusal: 'I cannot help.' } });
      expect(await ask(refused)).toMatchObject({ finishReason: 'content-filter', text: 'I cannot help.' });
    });

    it.each([
      ['no usage', undefined, null],
      ['usage that is no object', 'many', null],
      ['negative usage', { prompt_tokens: -1, completion_tokens: 2 }, null],
      ['absurd usage', { prompt_tokens: 1e300, completion_tokens: 2 }, null],
      ['half a usage', { prompt_tokens: 4 }, null],
      ['usage under other names', { input_tokens: 4, output_tokens: 2 }, { inputTokens: 4, outputTokens: 2 }],
    ])('may have %s', async (_name, usage, expected) => {
      const body = { ...completion('x', { usage: null }), ...(usage === undefined ? {} : { usage }) };
      expect((await ask(sendsJson(body))).usage).toEqual(expected);
    });

    it.each<[string, Behaviour, RegExp, boolean]>([
      ['an empty body', sends(200, ''), /its body is empty/, true],
      ['a body that is cut', sends(200, JSON.stringify(completion('Crabs.')).slice(0, 80)), /not JSON/, true],
      ['a body of text', sends(200, 'OK', { 'content-type': 'text/plain' }), /not JSON/, true],
      ['a web page', sends(200, '<html>x</html>', HTML), /web page/, false],
      ['a list', sendsJson([1]), /no JSON object/, true],
      ['no choices', sendsJson({ choices: [] }), /no choice/, true],
      ['choices that are no list', sendsJson({ choices: 'x' }), /no choice/, true],
      ['a choice of null', sendsJson({ choices: [null] }), /no choice/, true],
      ['no message', sendsJson({ choices: [{ finish_reason: 'stop' }] }), /no message/, true],
      ['a number for content', withChoice({ message: { content: 4 } }), /no text/, true],
      ['no content at all (204)', sends(204, ''), /no body/, true],
    ])('fails by name with %s', async (_name, behaviour, message, retryable) => {
      const failure = await failureOf(ask(behaviour));
      expect(failure.message).toMatch(message);
      expect(failure.retryable).toBe(retryable);
      expect(['malformed-response', 'bad-request']).toContain(failure.kind);
    });

    it('is not read beyond its bound', async () => {
      const long = sendsJson(completion('x'.repeat(200_000)));
      const failure = await failureOf(ask(long, { maxResponseBytes: 100_000 }));
      expect(failure).toMatchObject({ kind: 'malformed-response', retryable: false });
      expect(failure.message).toContain('100000 bytes');
    });
  });

  describe('An answer in a stream', () => {
    it('lets its listener hear no thinking', async () => {
      const pieces = ['<thi', 'nk>\nhm', 'm</th', 'ink>\n\n', 'Cra', 'bs <think> stays'];
      expect(await askStream(answers(pieces.join(''), { pieces, reasoning: 'Beside.' }))).toMatchObject({
        text: pieces.join(''),
        heard: 'Crabs <think> stays',
      });
    });

    it.each([
      ['before its end', streams([CUT_SHORT]), 'malformed-response'],
      ['before it began', streams([]), 'malformed-response'],
      ['and is [DONE] at once', streams(['[DONE]']), 'malformed-response'],
      ['in an event', streams([CUT_SHORT, '{"choi']), 'malformed-response'],
      ['with its connection', tears([CUT_SHORT]), 'unreachable'],
    ])('is a failure where it is cut off %s', async (_where, behaviour, kind) => {
      expect(await failureOf(askStream(behaviour))).toMatchObject({ kind, retryable: true });
    });

    it.each<[string, unknown[], string]>([
      ['an error', [CUT_SHORT, { error: { message: 'No', type: 'overloaded_error' } }], 'overloaded'],
      ['an error with a status', [CUT_SHORT, { error: { message: 'Slow down', code: 429 } }], 'rate-limited'],
      ['an error of one word', [{ error: 'boom' }], 'server-error'],
      [
        'an error in a choice',
        [{ choices: [{ delta: {}, error: { message: 'x', code: 502 } }] }],
        'server-error',
      ],
      ['an end that is an error', [CUT_SHORT, delta('', 'error')], 'server-error'],
      ['an end for want of resources', [CUT_SHORT, delta('', 'insufficient_system_resource')], 'overloaded'],
      ['something else than JSON', [CUT_SHORT, 'nonsense'], 'malformed-response'],
      ['a number', [4], 'malformed-response'],
      ['a delta of text', [{ choices: [{ delta: 'Cra' }] }], 'malformed-response'],
      ['a delta with a number', [delta(4)], 'malformed-response'],
    ])('fails by name with %s in it', async (_name, sent, kind) => {
      expect(await failureOf(askStream(streams([...sent, '[DONE]'])))).toMatchObject({
        kind,
        retryable: true,
      });
    });

    it('is not read beyond its bound', async () => {
      const long = streams([delta('x'.repeat(200_000))]);
      expect(await failureOf(askStream(long, { maxResponseBytes: 100_000 }))).toMatchObject({
        kind: 'malformed-response',
        retryable: false,
      });
    });
  });

  describe('Time', () => {
    it('is limited for an answer', async () => {
      const failure = await failureOf(ask(hangs(), { timeoutMs: 60 }));
      expect(failure).toMatchObject({ kind: 'timeout', retryable: true });
      expect(failure.message).toContain('within 60 ms');
    });

    it.each([
      ['a body', 200, '{"choices":'],
      ['the body of an error', 500, '{"error":'],
    ])('is limited for %s that never ends', async (_what, status, beginning) => {
      const endless: Behaviour = (_request, response) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.write(beginning);
      };
      expect(await failureOf(ask(endless, { timeoutMs: 60 }))).toMatchObject({ kind: 'timeout' });
    });

    it('does not count while the server is busy with other calls', async () => {
      const freeAt = performance.now() + 300;
      let begun = 0;
      const turn = {
        get since() {
          return Math.min(performance.now(), freeAt);
        },
        begun: () => void (begun += 1),
        answered: () => undefined,
      };
      const busy: Behaviour = async (request, response) => {
        await new Promise((resolve) => setTimeout(resolve, freeAt - performance.now()));
        await answers('Crabs.')(request, response);
      };
      const response = await withServer([busy], (server) =>
        clientOf(server, { timeoutMs: 200, firstByteMs: 200 }).ask(REQUEST, null, { signal: NEVER, turn }),
      );
      expect(response.text).toBe('Crabs.');
      expect(begun).toBeGreaterThan(0);
    });

    it('is limited for a stream that has gone silent', async () => {
      for (const silent of [goesSilent([]), goesSilent([delta('Cra')])]) {
        const failure = await failureOf(askStream(silent, { inactivityMs: 60, firstByteMs: 60 }));
        expect(failure).toMatchObject({ kind: 'timeout', retryable: true });
        expect(failure.message).toContain('60 ms');
      }
    });
  });

  describe('Cancellation', () => {
    class Reason extends Error {}

    it('before a call makes none, and passes untouched', async () => {
      await withServer([], async (server) => {
        const reason = new Reason('enough');
        const signal = AbortSignal.abort(reason);
        await expect(clientOf(server).ask(REQUEST, null, { signal })).rejects.toBe(reason);
        await expect(clientOf(server).listModels(signal)).rejects.toBe(reason);
        expect(server.requests).toHaveLength(0);
      });
    });

    it.each<[string, Behaviour]>([
      ['while the server thinks', hangs()],
      ['in the middle of a stream', goesSilent([delta('Cra')])],
      ['in the middle of an error', (_request, response) => void response.writeHead(500).write('{')],
    ])('%s ends the request, and passes untouched', async (_name, behaviour) => {
      const reason = new Reason('enough');
      const controller = new AbortController();
      const script = (): Behaviour => async (request, response) => {
        await behaviour(request, response);
        // The client has what was sent before it hears of the cancellation, or has not: either is fine.
        setImmediate(() => controller.abort(reason));
      };
      await withServer(script, async (server) => {
        const { signal } = controller;
        const call = clientOf(server).ask(REQUEST, null, { signal, onText: () => undefined });
        await expect(call).rejects.toBe(reason);
        await server.asked[0]?.closed;
      });
    });

    it('by what the listener throws ends the request, and passes untouched', async () => {
      const reason = new Reason('no more');
      await withServer([goesSilent([delta('Cra')])], async (server) => {
        const onText = (): void => {
          throw reason;
        };
        const call = clientOf(server).ask(REQUEST, null, { signal: NEVER, onText });
        await expect(call).rejects.toBe(reason);
        await server.asked[0]?.closed;
      });
    });
  });
});

describe('The time that an endpoint asks to wait', () => {
  const NOW = Date.UTC(2026, 0, 5, 12, 0, 0);

  function wait(headers: Record<string, string>): number | null {
    return retryAfterMs(new Headers(headers), NOW);
  }

  /** So many requests until their reset, and a hundred tokens until theirs, in two seconds. */
  const left = (requests: string, reset: string): Record<string, string> => ({
    'x-ratelimit-remaining-requests': requests,
    'x-ratelimit-reset-requests': reset,
    'x-ratelimit-remaining-tokens': '100',
    'x-ratelimit-reset-tokens': '2s',
  });

  it.each<[string, Record<string, string>, number | null]>([
    ['milliseconds', { 'retry-after-ms': '1500' }, 1500],
    ['seconds', { 'retry-after': '12' }, 12_000],
    ['a day', { 'retry-after': '86400' }, 86_400_000],
    ['too long', { 'retry-after': '8640000' }, 604_800_000],
    ['a date', { 'retry-after': 'Mon, 05 Jan 2026 12:00:30 GMT' }, 30_000],
    [
      'a date by the server’s own clock',
      { date: 'Mon, 05 Jan 2026 13:00:00 GMT', 'retry-after': 'Mon, 05 Jan 2026 13:00:05 GMT' },
      5_000,
    ],
    ['a reset in milliseconds', { 'x-ratelimit-reset-tokens': '20ms' }, 20],
    ['a reset at a date', { 'x-ratelimit-reset': '2026-01-05T12:00:03Z' }, 3_000],
    ['the reset of what is used up', left('0', '40s'), 40_000],
    ['the reset of tokens, where neither is quite used up', left('3', '8h0m'), 2_000],
    ['nothing', {}, null],
    ['a number without end', { 'retry-after': '9'.repeat(400) }, null],
    ['no number', { 'retry-after-ms': 'NaN', 'x-ratelimit-reset': '' }, null],
  ])('may be %s', (_name, headers, expected) => {
    expect(wait(headers)).toBe(expected);
  });

  it.each([
    ['Rate limit reached. Please try again in 6.2s.', 6_200],
    ['please retry after 1m5s', 65_000],
    ['Please retry after 26 seconds.', 26_000],
    ['Your quota will reset after 3h20m.', 12_000_000],
    ['try again in 5 minutes', 300_000],
    ['retrydelay: 34.07s', 34_070],
    ['retry_after: 12', 12_000],
    ['quotaid: GenerateRequestsPerDayPerProjectPerModel-FreeTier retrydelay: 34s', 72_000_000],
    ['Limit resets at 2026-01-05T20:00:00Z', 28_800_000],
    ['try again in a moment', null],
    ['', null],
  ])('may stand in a sentence: %s', (text, expected) => {
    expect(retryAfterInText(text, NOW)).toBe(expected);
  });
});
