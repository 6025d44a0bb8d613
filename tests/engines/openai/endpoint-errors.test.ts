import { createRequire } from 'node:module';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type * as OpenAiLibrary from 'openai';
import type { ModelFailure, ModelFailureKind, OutputMode } from '../../../src/engines/model/port';
import { toModelFailure } from '../../../src/engines/openai/endpoint-errors';
import { dropsConnection, refuses, sends, sendsJson } from '../../model-server/behaviours';
import type { Behaviour } from '../../model-server/model-server';
import { clientOf, failureOf, NEVER, REQUEST, SCHEMA_REQUEST, withServer } from './asking';
import { said, tooLong } from './refusals.json';

describe('failures of an endpoint', () => {
  // The built code requires the library; an import would be a second copy with other classes.
  const { APIError } = createRequire(__filename)('openai') as typeof OpenAiLibrary;

  function failure(behaviour: Behaviour, rung: OutputMode | null = null): Promise<ModelFailure> {
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
      const asked = {
        address: 'http://127.0.0.1/v1',
        maxBytes: 1,
        model: 'small-1',
        apiKey: null,
        contents: ['secret'],
        rung: null,
        nowMs: 0,
      };
      const found = toModelFailure(new TypeError('the prompt is: secret'), asked);
      expect(found).toMatchObject({ kind: 'malformed-response', retryable: false });
      expect(found.message).not.toContain('secret');
      expect(toModelFailure('secret', asked).message).not.toContain('secret');
      const echoing = APIError.generate(400, { error: { message: "'secret'" } }, undefined, new Headers());
      expect(toModelFailure(echoing, asked).message).not.toContain('secret');
    });
  });
});
