import { createServer } from 'node:net';
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import type { SchemaRung } from '../../../src/engines/model/port/model-client';
import type { ModelFailure, ModelFailureKind } from '../../../src/engines/model/port/model-failure';
import { asModelFailure } from '../../../src/engines/openai/as-model-failure';
import { dropsConnection, refuses, sends, sendsJson } from '../../model-server/behaviours';
import type { Behaviour } from '../../model-server/model-server';
import { clientOf, failureOf, NEVER, REQUEST, SCHEMA_REQUEST, withServer } from './asking';

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
    expect(await failure(sends(status, ''))).toMatchObject({ kind: 'bad-request', retryable: false, status });
  });

  it('that HTTP has not got is no answer', async () => {
    expect(await failure(sends(799, 'x'))).toMatchObject({ kind: 'malformed-response', retryable: true });
  });
});

describe('What an endpoint says', () => {
  const quota = {
    message: 'You exceeded your current quota, please check your plan',
    code: 'insufficient_quota',
  };

  it.each<[string, Behaviour, ModelFailureKind]>([
    ['that the quota is used up', refuses(429, quota), 'quota-exceeded'],
    ['that the balance is', refuses(402, { message: 'Insufficient Balance' }), 'quota-exceeded'],
    ['that the credit is', refuses(400, { message: 'Your credit balance is too low' }), 'quota-exceeded'],
    [
      'that a minute’s quota is',
      sends(
        429,
        JSON.stringify([
          {
            error: {
              code: 429,
              message: 'You exceeded your current quota',
              details: [{ retryDelay: '17s' }],
            },
          },
        ]),
      ),
      'rate-limited',
    ],
    [
      'that the key is wrong',
      refuses(400, { message: 'API key not valid. Please pass a valid API key.' }),
      'wrong-key',
    ],
    [
      'of a content filter',
      refuses(400, { message: 'The response was filtered', code: 'content_filter' }),
      'content-filter',
    ],
    [
      'of a content filter within',
      refuses(400, { message: 'Bad', code: null, innererror: { code: 'ResponsibleAIPolicyViolation' } }),
      'content-filter',
    ],
    [
      'of a policy',
      refuses(400, { message: 'Your prompt was flagged as potentially violating our usage policy' }),
      'content-filter',
    ],
    [
      'of moderation, forbidding',
      refuses(403, { message: 'Input flagged by moderation', code: 'moderation_blocked' }),
      'content-filter',
    ],
    [
      'of a model',
      refuses(404, { message: 'The model `small-1` does not exist', code: 'model_not_found' }),
      'unknown-model',
    ],
    [
      'of a model to pull',
      sendsJson({ error: 'model "small-1" not found, try pulling it first' }, 404),
      'unknown-model',
    ],
    ['of a model, with 400', refuses(400, { message: 'small-1 is not a valid model ID' }), 'unknown-model'],
    [
      'that it is loading',
      refuses(503, { message: 'Loading model', type: 'unavailable_error' }),
      'overloaded',
    ],
    ['with status 200: an error', sendsJson({ error: { message: 'Internal' } }), 'server-error'],
    ['with status 200: one word', sendsJson({ error: 'boom', choices: [] }), 'server-error'],
    ['with status 200: a code', sendsJson({ error: { message: 'Slow down', code: 429 } }), 'rate-limited'],
    ['with status 200: a code of text', sendsJson({ error: { message: 'No', code: '503' } }), 'overloaded'],
    [
      'with status 200: an old shape',
      sendsJson({ object: 'error', message: 'Invalid', type: 'BadRequestError', code: 400 }),
      'bad-request',
    ],
    ['with status 200: a detail', sendsJson({ detail: 'Rate limit reached' }), 'rate-limited'],
    [
      'with status 200: a wrong request',
      sendsJson({ error: { message: 'x', type: 'invalid_request_error' } }),
      'bad-request',
    ],
  ])('%s is understood', async (_name, behaviour, kind) => {
    const { kind: found, retryable } = await failure(behaviour);
    expect(found).toBe(kind);
    expect(retryable).toBe(['rate-limited', 'overloaded', 'server-error'].includes(kind));
  });

  it('with a good answer and no error beside it is no failure', async () => {
    const body = { error: null, choices: [{ message: { content: 'x' }, finish_reason: 'stop' }] };
    await withServer([sendsJson(body)], async (server) => {
      expect((await clientOf(server).ask(REQUEST, null, { signal: NEVER })).text).toBe('x');
    });
  });

  it.each<[string, Record<string, unknown> | string, number, number | null]>([
    [
      'OpenAI',
      {
        message:
          "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
        code: 'context_length_exceeded',
      },
      400,
      8192,
    ],
    [
      'OpenAI, newer',
      {
        message:
          'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300,000 tokens.',
        code: 'context_length_exceeded',
      },
      400,
      272_000,
    ],
    [
      'OpenAI, a minute’s tokens',
      {
        message: 'Request too large for small-1 on tokens per min (TPM): Limit 30000, Requested 40000.',
        type: 'tokens',
        code: 'rate_limit_exceeded',
      },
      429,
      30_000,
    ],
    [
      'llama.cpp',
      {
        message:
          'the request exceeds the available context size. try increasing the context size or enable context shift',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 5000,
        n_ctx: 4096,
      },
      400,
      4096,
    ],
    [
      'llama.cpp, as 500',
      {
        message: 'the request exceeds the available context size',
        type: 'exceed_context_size_error',
        n_ctx: 256,
      },
      500,
      256,
    ],
    [
      'llama.cpp, newer',
      {
        message: 'request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it',
      },
      400,
      4096,
    ],
    ['llama-cpp-python', 'Requested tokens (2285) exceed context window of 2048', 500, 2048],
    [
      'vLLM',
      {
        message:
          "This model's maximum context length is 4,096 tokens. However, you requested 5000 tokens (4500 in the messages, 500 in the completion).",
      },
      400,
      4096,
    ],
    [
      'vLLM, newer',
      {
        message:
          "'max_tokens' or 'max_completion_tokens' is too large: 500. This model's maximum context length is 4096 tokens and your request has 4000 input tokens (500 > 4096 - 4000).",
      },
      400,
      4096,
    ],
    [
      'vLLM, of the prompt',
      { message: 'The decoder prompt (length 5000) is longer than the maximum model length of 4096.' },
      400,
      4096,
    ],
    [
      'SGLang',
      { message: "The input (5000 tokens) is longer than the model's context length (4096 tokens)." },
      400,
      4096,
    ],
    ['Ollama', 'the input length exceeds the context length', 400, null],
    ['Ollama, with a number', 'input length (5000) exceeds maximum context length 2048', 400, 2048],
    [
      'LM Studio',
      'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
      400,
      4096,
    ],
    [
      'TGI',
      'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 100 `max_new_tokens`',
      422,
      4096,
    ],
    ['Anthropic', { message: 'prompt is too long: 210000 tokens > 200000 maximum' }, 400, 200_000],
    [
      'Anthropic, with the output',
      { message: 'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000' },
      400,
      200_000,
    ],
    [
      'Gemini',
      { message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).' },
      400,
      1_048_576,
    ],
    [
      'Mistral',
      {
        message:
          'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      },
      400,
      32_768,
    ],
    [
      'xAI',
      { message: "This model's maximum prompt length is 131072 but the request contains 150000 tokens." },
      400,
      131_072,
    ],
    [
      'Groq',
      { message: 'Please reduce the length of the messages or completion.', code: 'context_length_exceeded' },
      400,
      null,
    ],
    ['a proxy', '', 413, null],
  ])('of a request that is too long is understood: %s', async (_name, error, status, contextWindow) => {
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

  it('of the time to wait is passed on', async () => {
    expect(await failure(refuses(429, {}, { 'retry-after': '7' }))).toMatchObject({ retryAfterMs: 7_000 });
    expect(await failure(refuses(503, {}, { 'retry-after-ms': '250' }))).toMatchObject({ retryAfterMs: 250 });
    expect(await failure(refuses(429, { message: 'Please try again in 6.2s.' }))).toMatchObject({
      retryAfterMs: 6_200,
    });
    expect(await failure(refuses(429, {}))).toMatchObject({ retryAfterMs: null });
    expect(await failure(refuses(400, {}, { 'retry-after': '7' }))).toMatchObject({ retryAfterMs: null });
  });

  it('is told with what to do', async () => {
    await withServer([refuses(401, { message: 'Bad key' }), refuses(401, {})], async (server) => {
      const wrong = await failureOf(clientOf(server).ask(REQUEST, null, { signal: NEVER }));
      expect(wrong.message).toBe(
        `${server.baseUrl} refuses the API key (401): check OPENAI_API_KEY. It says: Bad key`,
      );
      const missing = await failureOf(
        clientOf(server, { apiKey: null }).ask(REQUEST, null, { signal: NEVER }),
      );
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
      expect(await failure(refuses(status, { message }), 'json-schema')).toMatchObject({
        kind: 'schema-rejected',
        retryable: false,
        status,
      });
    }
  });

  it('is understood from a list of what is wrong where', async () => {
    const detail = [
      {
        type: 'extra_forbidden',
        loc: ['body', 'response_format'],
        msg: 'Extra inputs are not permitted',
        input: { secret: 1 },
      },
    ];
    const found = await failure(sendsJson({ detail }, 422), 'json-object');
    expect(found.kind).toBe('schema-rejected');
    expect(found.message).toContain('body.response_format: Extra inputs are not permitted');
    expect(found.message).not.toContain('secret');
  });

  it('is understood from an error wrapped in another one', async () => {
    const raw = JSON.stringify({ error: { message: 'response_format is not supported' } });
    const wrapped = refuses(400, {
      message: 'Provider returned error',
      metadata: { provider_name: 'x', raw },
    });
    expect((await failure(wrapped, 'json-schema')).kind).toBe('schema-rejected');
  });

  it.each([
    '',
    'Bad Request',
    'Invalid request',
    'Provider returned error',
    'Request contains an invalid argument.',
  ])('is what a refusal without an explanation is taken for: %p', async (message) => {
    for (const status of [400, 422]) {
      expect((await failure(refuses(status, { message }), 'json-schema')).kind).toBe('schema-rejected');
      expect((await failure(refuses(status, { message }), 'prompt-only')).kind).toBe('bad-request');
      expect((await failure(refuses(status, { message }))).kind).toBe('bad-request');
    }
  });

  it('is told from everything else that fails', async () => {
    const others: [Behaviour, ModelFailureKind][] = [
      [refuses(500, { message: 'Internal server error' }), 'server-error'],
      [refuses(500, {}), 'server-error'],
      [refuses(503, { message: 'Service unavailable' }), 'overloaded'],
      [refuses(429, { message: 'Too many requests with response_format' }), 'rate-limited'],
      [refuses(401, { message: 'No key for response_format' }), 'wrong-key'],
      [refuses(400, { message: "Invalid value for 'messages[1].role'" }), 'bad-request'],
    ];
    for (const [behaviour, kind] of others) {
      expect((await failure(behaviour, 'json-schema')).kind).toBe(kind);
    }
    expect((await failure(refuses(500, { message: 'failed to parse grammar' }))).kind).toBe('server-error');
  });
});

describe('A connection', () => {
  it('that is refused is a failure that names the address', async () => {
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const address = listener.address();
    await new Promise((resolve) => listener.close(resolve));
    const port = typeof address === 'object' ? address?.port : 0;
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

  it('that breaks in the middle of a body is one too', async () => {
    const torn: Behaviour = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
      response.write('{"choices":[', () => response.destroy());
    };
    expect(await failure(torn)).toMatchObject({ kind: 'unreachable', retryable: true });
  });

  it('that does not speak HTTP is told', async () => {
    const listener = createServer((socket) => socket.resume().end('SSH-2.0-OpenSSH_9.2\r\n'));
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const address = listener.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const client = clientOf({ baseUrl: `http://127.0.0.1:${port}` });
    expect(await failureOf(client.ask(REQUEST, null, { signal: NEVER }))).toMatchObject({
      kind: 'malformed-response',
    });
    const secure = clientOf({ baseUrl: `https://127.0.0.1:${port}` });
    expect(await failureOf(secure.ask(REQUEST, null, { signal: NEVER }))).toMatchObject({
      kind: 'unreachable',
      retryable: false,
    });
    await new Promise((resolve) => listener.close(resolve));
  });
});

describe('The mapping', () => {
  it('goes by class where the library gives neither status nor name', () => {
    expect(new APIConnectionError({}).name).toBe('Error');
    expect(asModelFailure(new APIConnectionError({}))).toMatchObject({
      kind: 'unreachable',
      retryable: true,
    });
    expect(asModelFailure(new APIConnectionTimeoutError())).toMatchObject({
      kind: 'timeout',
      retryable: true,
    });
    const limited = APIError.generate(
      429,
      { error: { message: 'no' } },
      undefined,
      new Headers({ 'retry-after': '2' }),
    );
    expect(asModelFailure(limited)).toMatchObject({ kind: 'rate-limited', retryAfterMs: 2_000, status: 429 });
  });

  it('repeats nothing of what it does not know', () => {
    const found = asModelFailure(new TypeError('the prompt is: secret'));
    expect(found).toMatchObject({ kind: 'malformed-response', retryable: false });
    expect(found.message).not.toContain('secret');
    expect(asModelFailure('secret').message).not.toContain('secret');
    const echoing = APIError.generate(400, { error: { message: 'secret' } }, undefined, new Headers());
    expect(asModelFailure(echoing).message).not.toContain('secret');
  });

  it('leaves a failure as it is', () => {
    const found = asModelFailure(new APIConnectionError({}));
    expect(asModelFailure(found)).toBe(found);
  });
});
