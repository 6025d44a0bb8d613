import { createRequire } from 'node:module';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import fc from 'fast-check';
import type * as OpenAiLibrary from 'openai';
import type { SchemaRung } from '../../../src/engines/model/port/model-client';
import { ModelFailure, type ModelFailureKind } from '../../../src/engines/model/port/model-failure';
import { asModelFailure } from '../../../src/engines/openai/as-model-failure';
import { dropsConnection, refuses, sends, sendsJson, completion, delta } from '../../model-server/behaviours';
import { type Behaviour, startModelServer, type ModelServer } from '../../model-server/model-server';
import { clientOf, failureOf, NEVER, REQUEST, SCHEMA_REQUEST, withServer } from './asking';
import { said, tooLong } from './refusals.json';

describe('failures of an endpoint', () => {
  // The built code requires the library; an import would be a second copy with other classes.
  const { APIError } = createRequire(__filename)('openai') as typeof OpenAiLibrary;

  function failure(behaviour: Behaviour, rung: SchemaRung | null = null): Promise<ModelFailure> {
    // A stream's failures are the same; some of them are met again without a parameter, which is not the matter here.
    return failureOf(
      withServer(
        () => behaviour,
        (server) => clientOf(server).ask(rung === null ? REQUEST : SCHEMA_REQUEST, rung, { signal: NEVER }),
      ),
    );
  }

  describe('A status', () => {
    it.each<[number, ModelFailureKind, boolean]>([
      [400, 'bad-request', false],
      [401, 'wrong-key', false],
      [402, 'quota-exceeded', false],
      [403, 'wrong-key', false],
      [404, 'bad-request', false],
      [405, 'bad-request', false],
      [408, 'timeout', true],
      [409, 'overloaded', true],
      [413, 'context-length', false],
      [418, 'bad-request', false],
      [422, 'bad-request', false],
      [425, 'overloaded', true],
      [429, 'rate-limited', true],
      [500, 'server-error', true],
      [501, 'server-error', true],
      [502, 'server-error', true],
      [503, 'overloaded', true],
      [504, 'timeout', true],
      [520, 'server-error', true],
      [529, 'overloaded', true],
    ])('of %i is %s, retryable: %s', async (status, kind, retryable) => {
      for (const body of ['', '{"error":{"message":"no"}}', '<html><head><title>No</title></head></html>']) {
        expect(await failure(sends(status, body))).toMatchObject({ kind, retryable, status });
      }
    });

    it.each([300, 304, 308])('of %i is no answer', async (status) => {
      expect(await failure(sends(status, ''))).toMatchObject({
        kind: 'bad-request',
        retryable: false,
        status,
      });
    });
  });

  describe('What an endpoint says', () => {
    it.each(said)('$what is understood', async ({ status, body, kind }) => {
      const retryable = ['rate-limited', 'overloaded', 'server-error'].includes(kind);
      expect(await failure(sendsJson(body, status))).toMatchObject({ kind, retryable });
    });

    it('with a good answer and no error beside it is no failure', async () => {
      const body = { error: null, choices: [{ message: { content: 'x' }, finish_reason: 'stop' }] };
      await withServer([sendsJson(body)], async (server) => {
        expect((await clientOf(server).ask(REQUEST, null, { signal: NEVER })).text).toBe('x');
      });
    });

    it.each(tooLong)('of a request that is too long is understood: $server', async (reply) => {
      const { error, status, contextWindow } = reply;
      const found = await failure(sendsJson({ error }, status), 'json-schema');
      expect(found).toMatchObject({ kind: 'context-length', retryable: false, contextWindow, status });
      if (contextWindow !== null) expect(found.message).toContain(`it takes ${contextWindow} tokens`);
    });

    it('of an output limit is not taken for a short context', async () => {
      const message = 'max_tokens is too large: 50000. This model supports at most 16384 completion tokens.';
      const found = await failure(refuses(400, { message, param: 'max_tokens', code: 'invalid_value' }));
      expect(found).toMatchObject({ kind: 'bad-request', contextWindow: null });
      expect(found.message).toContain('at most 16384 completion tokens');
    });

    it.each<[string, Behaviour, number | null]>([
      ['in seconds', refuses(429, {}, { 'retry-after': '7' }), 7_000],
      ['in milliseconds', refuses(503, {}, { 'retry-after-ms': '250' }), 250],
      ['in words', refuses(429, { message: 'Please try again in 6.2s.' }), 6_200],
      ['not at all', refuses(429, {}), null],
      ['where waiting does not help', refuses(400, {}, { 'retry-after': '7' }), null],
    ])('of the time to wait is passed on: %s', async (_how, behaviour, retryAfterMs) => {
      expect(await failure(behaviour)).toMatchObject({ retryAfterMs });
    });

    it('is told with what to do', async () => {
      await withServer([refuses(401, { message: 'Bad key' }), refuses(401, {})], async (server) => {
        const wrong = await failureOf(clientOf(server).ask(REQUEST, null, { signal: NEVER }));
        expect(wrong.message).toBe(
          `${server.baseUrl} refuses the API key (401): check OPENAI_API_KEY. It says: Bad key`,
        );
        const keyless = clientOf(server, { apiKey: null });
        const missing = await failureOf(keyless.ask(REQUEST, null, { signal: NEVER }));
        expect(missing.message).toContain('wants an API key (401): set OPENAI_API_KEY.');
      });
    });
  });

  describe('A schema that is rejected', () => {
    const schemaWords = [
      "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
      'The provided JSON schema contains features not supported by xgrammar.',
      'Failed to initialize samplers: failed to parse grammar',
      'Grammar error: unsupported keyword minItems',
      'guided_json is not available',
      'Failed to generate JSON. Please adjust your prompt. json_validate_failed',
    ];

    it.each(schemaWords)('is understood: %s', async (message) => {
      for (const status of [400, 422, 500, 501]) {
        const found = await failure(refuses(status, { message }), 'json-schema');
        expect(found).toMatchObject({ kind: 'schema-rejected', retryable: false, status });
      }
    });

    it('is understood from a list of what is wrong where', async () => {
      const msg = 'Extra inputs are not permitted';
      const detail = [
        { type: 'extra_forbidden', loc: ['body', 'response_format'], msg, input: { secret: 1 } },
      ];
      const found = await failure(sendsJson({ detail }, 422), 'json-object');
      expect(found.kind).toBe('schema-rejected');
      expect(found.message).toContain('body.response_format: Extra inputs are not permitted');
      expect(found.message).not.toContain('secret');
    });

    const unexplained = [
      'Bad Request',
      'Invalid request',
      'Provider returned error',
      'Request contains an invalid argument.',
    ];
    it.each(['', ...unexplained])(
      'is what a refusal without an explanation is taken for: %j',
      async (message) => {
        for (const status of [400, 422]) {
          expect((await failure(refuses(status, { message }), 'json-schema')).kind).toBe('schema-rejected');
          expect((await failure(refuses(status, { message }), 'prompt-only')).kind).toBe('bad-request');
          expect((await failure(refuses(status, { message }))).kind).toBe('bad-request');
        }
      },
    );

    it.each<[Behaviour, ModelFailureKind]>([
      [refuses(500, { message: 'Internal server error' }), 'server-error'],
      [refuses(500, {}), 'server-error'],
      [refuses(503, { message: 'Service unavailable' }), 'overloaded'],
      [refuses(429, { message: 'Too many requests with response_format' }), 'rate-limited'],
      [refuses(401, { message: 'No key for response_format' }), 'wrong-key'],
      [refuses(400, { message: "Invalid value for 'messages[1].role'" }), 'bad-request'],
    ])('is told from everything else that fails: %#', async (behaviour, kind) => {
      expect((await failure(behaviour, 'json-schema')).kind).toBe(kind);
    });

    it('is none where no schema was sent', async () => {
      expect((await failure(refuses(500, { message: 'failed to parse grammar' }))).kind).toBe('server-error');
    });
  });

  /** The port of a listener that is no HTTP server, open while it is used. */
  async function whileListening(
    serve: (socket: Socket) => void,
    use: (port: number) => Promise<void>,
  ): Promise<void> {
    const listener = createServer(serve);
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    await use((listener.address() as AddressInfo).port); // it listens on a port
    await new Promise((resolve) => listener.close(resolve));
  }

  describe('A connection', () => {
    it('that is refused is a failure that names the address', async () => {
      let port = 0;
      await whileListening(
        () => undefined,
        async (free) => void (port = free),
      );
      const client = clientOf({ baseUrl: `http://name:pass@127.0.0.1:${port}/v1?key=secret` });
      const found = await failureOf(client.ask(REQUEST, null, { signal: NEVER }));
      expect(found).toMatchObject({ kind: 'unreachable', retryable: true, status: null });
      expect(found.message).toContain(`http://127.0.0.1:${port}/v1`);
      expect(found.message).toContain('ECONNREFUSED');
      expect(found.message).not.toMatch(/pass|secret/);
    });

    it('that is dropped is one too', async () => {
      expect(await failure(dropsConnection())).toMatchObject({ kind: 'unreachable', retryable: true });
    });

    it('that does not speak HTTP is told', async () => {
      const ssh = (socket: Socket): void => void socket.resume().end('SSH-2.0-OpenSSH_9.2\r\n');
      await whileListening(ssh, async (port) => {
        const asked = (scheme: string): Promise<ModelFailure> =>
          failureOf(
            clientOf({ baseUrl: `${scheme}://127.0.0.1:${port}` }).ask(REQUEST, null, { signal: NEVER }),
          );
        expect(await asked('http')).toMatchObject({ kind: 'malformed-response' });
        expect(await asked('https')).toMatchObject({ kind: 'unreachable', retryable: false });
      });
    });
  });

  describe('The mapping', () => {
    it('repeats nothing of what it does not know', () => {
      const found = asModelFailure(new TypeError('the prompt is: secret'));
      expect(found).toMatchObject({ kind: 'malformed-response', retryable: false });
      expect(found.message).not.toContain('secret');
      expect(asModelFailure('secret').message).not.toContain('secret');
      const echoing = APIError.generate(400, { error: { message: 'secret' } }, undefined, new Headers());
      expect(asModelFailure(echoing).message).not.toContain('secret');
    });
  });
});

describe('broken responses', () => {
  const KINDS = 'unreachable rate-limited overloaded server-error quota-exceeded wrong-key unknown-model'
    .concat(' context-length content-filter schema-rejected bad-request malformed-response')
    .split(' ');

  const WHOLE = completion('{"title":"Crabs"}');

  const USAGE = { choices: [], usage: { prompt_tokens: 3, completion_tokens: 5 } };

  const CHUNKS = [delta('{"title":'), delta('"Crabs"}'), delta('', 'stop'), USAGE];

  const RETRY = [{ retryDelay: '1s' }];

  const ERROR = { error: { message: 'No', type: 'invalid_request_error', code: 400, details: RETRY } };

  /** The value with something else in one place, wherever that is. */
  function misplaced(value: unknown, other: unknown, place: number): unknown {
    let left = place;
    const walk = (part: unknown): unknown => {
      left -= 1;
      if (left === -1) return other;
      if (Array.isArray(part)) return part.map((item) => walk(item));
      if (typeof part !== 'object' || part === null) return part;
      return Object.fromEntries(Object.entries(part).map(([name, item]) => [name, walk(item)]));
    };
    return walk(value);
  }

  const ODD: unknown[] = [
    null,
    '',
    0,
    -1,
    1e308,
    [],
    {},
    [[]],
    [null],
    { toString: 1 },
    '\ud800',
    { constructor: null },
  ];

  const oddValue = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(...ODD));

  const brokenText = (text: string): fc.Arbitrary<Buffer> =>
    fc.oneof(
      fc.nat(text.length).map((length) => Buffer.from(text.slice(0, length))),
      fc
        .tuple(fc.nat(text.length), fc.uint8Array({ maxLength: 6 }))
        .map(([at, noise]) =>
          Buffer.concat([Buffer.from(text.slice(0, at)), noise, Buffer.from(text.slice(at))]),
        ),
      fc
        .tuple(fc.nat(text.length), fc.nat(12))
        .map(([at, gone]) => Buffer.from(text.slice(0, at) + text.slice(at + gone))),
    );

  const sse = (events: unknown): string =>
    `${[events]
      .flat()
      .map((event) => `data: ${JSON.stringify(event)}\n\n`)
      .join('')}data: [DONE]\n\n`;

  const body: fc.Arbitrary<Buffer> = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc.json().map((text) => Buffer.from(text)),
    ...[JSON.stringify(WHOLE), sse(CHUNKS), JSON.stringify(ERROR)].map(brokenText),
    fc
      .tuple(fc.constantFrom(WHOLE, ERROR, [ERROR]), oddValue, fc.nat(20))
      .map(([value, other, place]) => Buffer.from(JSON.stringify(misplaced(value, other, place)))),
    fc.tuple(oddValue, fc.nat(40)).map(([other, place]) => Buffer.from(sse(misplaced(CHUNKS, other, place)))),
  );

  interface Reply {
    status: number;
    type: string;
    body: Buffer;
    cut: number;
    /** How the connection ends. */
    end: 'well' | 'torn' | 'short';
    streamed: boolean;
    headers: Record<string, string>;
  }

  const HEADERS = ['retry-after', 'retry-after-ms', 'date', 'x-ratelimit-reset-tokens', 'x-ratelimit-reset'];

  const reply: fc.Arbitrary<Reply> = fc.record({
    status: fc.oneof(
      { weight: 3, arbitrary: fc.constant(200) },
      fc.constantFrom(201, 204, 206, 301, 304, 400, 401, 404, 422, 429, 500, 503, 599),
    ),
    type: fc.constantFrom('application/json', 'text/event-stream', 'text/html', 'text/plain', ''),
    body,
    cut: fc.nat(100),
    end: fc.constantFrom('well', 'well', 'well', 'torn', 'short'),
    streamed: fc.boolean(),
    headers: fc.dictionary(fc.constantFrom(...HEADERS), fc.stringMatching(/^[ -~]{0,20}$/), { maxKeys: 2 }),
  });

  const behaviourOf =
    ({ status, type, body: sent, cut, end, headers }: Reply): Behaviour =>
    (_request, response) => {
      const length =
        end === 'short' && status !== 204 && status !== 304
          ? { 'content-length': String(sent.length + 9) }
          : {};
      response.writeHead(status, { ...headers, ...length, ...(type === '' ? {} : { 'content-type': type }) });
      response.write(sent.subarray(0, cut), () => {
        if (end !== 'well') response.destroy();
        else response.end(sent.subarray(cut));
      });
    };

  let server: ModelServer;
  let behaviour: Behaviour;

  beforeAll(async () => {
    server = await startModelServer(() => behaviour);
  });
  afterAll(() => server.close());

  it('is an answer or a failure with a name', async () => {
    const ends = { answers: 0, failures: 0 };
    await fc.assert(
      fc.asyncProperty(reply, async (broken) => {
        behaviour = behaviourOf(broken);
        // A client of its own for each: what is learned of one endpoint is not known of the next.
        const client = clientOf(server, { apiKey: null, timeoutMs: 60_000, inactivityMs: 60_000 });
        try {
          const listening = broken.streamed ? { onText: () => undefined } : {};
          const response = await client.ask(SCHEMA_REQUEST, 'json-schema', { signal: NEVER, ...listening });
          ends.answers += 1;
          const counts = { inputTokens: expect.any(Number), outputTokens: expect.any(Number) };
          expect(response).toEqual({
            text: expect.any(String),
            finishReason: expect.stringMatching(/^(?:stop|length|content-filter|other)$/),
            usage: response.usage === null ? null : counts,
            rung: 'json-schema',
          });
        } catch (error) {
          if (!(error instanceof ModelFailure)) throw error;
          ends.failures += 1;
          // What is broken is never taken for what is late.
          expect(KINDS).toContain(error.kind);
          expect(error.message).not.toMatch(/undefined|\[object|NaN/);
          const { retryAfterMs } = error;
          expect(retryAfterMs === null || (retryAfterMs >= 0 && retryAfterMs <= 600_000)).toBe(true);
        }
      }),
      { seed: 20_260_105, numRuns: 120 },
    );
    // A test of broken bodies alone would not see an answer that is good being refused.
    expect(ends.answers).toBeGreaterThan(10);
    expect(ends.failures).toBeGreaterThan(100);
  });
});
