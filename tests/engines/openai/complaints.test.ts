import type { ModelResponse } from '../../../src/engines/model/port';
import { answers, refuses, sends, sendsJson } from '../../model-server/behaviours';
import type { Behaviour, RecordedRequest } from '../../model-server/model-server';
import { clientOf, failureOf, NEVER, REQUEST, SCHEMA_REQUEST, withServer } from './asking';

describe('differences', () => {
  /** How endpoints refuse a request that another form of it would pass; each wording was reported of at least one. */

  type Accepts = (body: Record<string, unknown>) => boolean;

  /** The answer of an endpoint that takes only some requests, and all bodies of two calls. */
  async function askedTwice(
    accepts: Accepts,
    refusal: Behaviour,
    request = REQUEST,
  ): Promise<{ response: ModelResponse; bodies: Record<string, unknown>[] }> {
    const script = ({ body }: RecordedRequest): Behaviour =>
      accepts(body ?? {}) ? answers('Crabs.') : refusal;
    return withServer(script, async (server) => {
      const client = clientOf(server);
      const rung = request.schema === undefined ? null : 'json-schema';
      const response = await client.ask(request, rung, { signal: NEVER });
      await client.ask(request, rung, { signal: NEVER });
      return { response, bodies: server.asked.map(({ body }) => body ?? {}) };
    });
  }

  const hasSystem = (body: Record<string, unknown>): boolean =>
    JSON.stringify(body['messages']).includes('system');
  const maxTokens = (body: Record<string, unknown>): unknown =>
    body['max_tokens'] ?? body['max_completion_tokens'];

  describe('a system message that is refused', () => {
    it.each([
      refuses(400, { message: 'Conversation roles must alternate user/assistant/user/assistant/...' }),
      refuses(400, {
        message: "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
        param: 'messages[0].role',
        code: 'unsupported_value',
      }),
      refuses(500, { message: 'System role not supported' }),
      sendsJson(
        { object: 'error', message: 'System role not supported', type: 'BadRequestError', code: 400 },
        400,
      ),
      sendsJson(
        { error: 'Request failed during generation: Server error: Conversation roles must alternate' },
        424,
      ),
      refuses(400, { message: 'Something in the template went wrong.' }),
    ])('is put at the head of the user’s, which is remembered: %#', async (refusal) => {
      const { response, bodies } = await askedTwice((body) => !hasSystem(body), refusal);
      expect(response.text).toBe('Crabs.');
      expect(bodies.filter((body) => !hasSystem(body))).toHaveLength(2);
    });
  });

  test('a refusal that no experiment helps against starts no more experiments', async () => {
    const refusal = refuses(400, { message: 'User location is not supported for the API use.' });
    await withServer(
      () => refusal,
      async (server) => {
        const client = clientOf(server);
        for (const kind of ['bad-request', 'bad-request'])
          expect(await failureOf(client.ask(REQUEST, null, { signal: NEVER }))).toMatchObject({ kind });
        expect(server.asked.length).toBeLessThan(8);
      },
    );
  });

  describe('a limit of output tokens', () => {
    it.each([
      'The parameter `max_tokens` specified in the request are not valid: integer above maximum value, expected a value <= 300, but got 500 instead. Request id: 0217752964393142fa50af',
      'The maximum tokens you requested exceeds the model limit of 300. Try again with a maximum tokens value that is lower than 300.',
      'Invalid max_tokens value, the valid range of max_tokens is [1, 300]',
      '`max_tokens` must be less than or equal to `300`, the maximum value for `max_tokens` is less than the `context_window` for this model',
      'Requested 500 tokens, this model gives 300',
      'max_new_tokens (500) is too large, the model can generate at most 300 tokens',
    ])('is read from the refusal: %s', async (message) => {
      const { bodies } = await askedTwice(
        (body) => Number(maxTokens(body)) <= 300,
        refuses(400, { message }),
      );
      expect(bodies.map(maxTokens)).toEqual([500, 300, 300]);
    });

    it('is read from any field of the refusal', async () => {
      const param = 'max_tokens is too large: 500. This model supports at most 300 completion tokens';
      const refusal = refuses(400, { message: 'Param Incorrect', param, code: '400' });
      const { bodies } = await askedTwice((body) => Number(maxTokens(body)) <= 300, refusal);
      expect(bodies.map(maxTokens)).toEqual([500, 300, 300]);
    });

    it('is found by halves where the refusal names none', async () => {
      const refusal = refuses(416, { message: 'max_tokens exceeds what is allowed for this model' });
      const { bodies } = await askedTwice((body) => Number(maxTokens(body)) <= 150, refusal);
      expect(bodies.map(maxTokens)).toEqual([500, 250, 125, 125]);
    });

    it('has another name, of one of which only the newer is known', async () => {
      const message =
        "Unsupported parameter: 'max_tokens' is not supported with o3-mini-2025-01-31. Use 'max_completion_tokens' instead.";
      const { bodies } = await askedTwice((body) => !('max_tokens' in body), refuses(400, { message }));
      expect(bodies.map((body) => body['max_completion_tokens'])).toEqual([undefined, 500, 500]);
    });
  });

  describe('a temperature', () => {
    it.each([
      'invalid temperature: only 1 is allowed for this model',
      '`temperature` is deprecated for this model.',
      'temperature must be in (0.0, 1.0]',
    ])('is left out where it is refused: %s', async (message) => {
      const { bodies } = await askedTwice((body) => !('temperature' in body), refuses(400, { message }));
      expect(bodies).toHaveLength(3);
    });

    it('is the only one that is allowed where it may not be left out', async () => {
      const message = 'invalid temperature: only 0.6 is allowed for this model';
      const { bodies } = await askedTwice((body) => body['temperature'] === 0.6, refuses(400, { message }));
      expect(bodies.map((body) => body['temperature'])).toEqual([0, undefined, 0.6, 0.6]);
    });
  });

  describe('a schema that is refused', () => {
    it.each([
      'Invalid JSON payload received. Unknown name "additionalProperties" at \'generation_config.response_schema\': Cannot find field.',
      "Invalid schema for response_format 'outline': In context=(), 'required' is required to be supplied",
      'strict mode is not available',
      'Nope.',
    ])('is sent without strictness: %s', async (message) => {
      const strict = (body: Record<string, unknown>): boolean =>
        JSON.stringify(body).includes('"strict":true');
      const { bodies } = await askedTwice((body) => !strict(body), refuses(400, { message }), SCHEMA_REQUEST);
      expect(JSON.stringify(bodies.at(-1))).not.toContain('additionalProperties');
      expect(bodies.at(-1)).toHaveProperty('response_format.json_schema.strict', false);
    });

    it.each([
      "'response_format.type' must be 'json_schema' or 'text'",
      'This response_format type is unavailable now',
      "'response_format.type' : value is not one of the allowed values ['text','json_object']",
      'Nope.',
    ])('is a failure of its own where no form of it is taken: %s', async (message) => {
      const failure = await withServer(
        () => refuses(400, { message, type: 'invalid_request_error' }),
        (server) => failureOf(clientOf(server).ask(SCHEMA_REQUEST, 'json-schema', { signal: NEVER })),
      );
      expect(failure.kind).toBe('schema-rejected');
    });
  });

  describe('a refusal that explains nothing', () => {
    it.each<[string, Accepts]>([
      ['the usage of a stream', (body) => !('stream_options' in body)],
      ['the temperature', (body) => !('temperature' in body)],
      ['the system message', (body) => !hasSystem(body)],
      ['the name of the limit', (body) => 'max_completion_tokens' in body],
      ['the stream', (body) => body['stream'] === false],
      ['two of them', (body) => !('temperature' in body) && !('stream_options' in body)],
    ])('may be of %s, which is found out once', async (_name, accepts) => {
      // The refusal changes with what is left to refuse.
      const script = ({ body }: RecordedRequest): Behaviour => {
        if (accepts(body ?? {})) return answers('Crabs.');
        return refuses(400, { message: `Wrong: ${'stream_options' in (body ?? {}) ? 'a' : 'b'}` });
      };
      await withServer(script, async (server) => {
        const client = clientOf(server);
        expect(await client.ask(REQUEST, null, { signal: NEVER })).toMatchObject({ text: 'Crabs.' });
        const tries = server.asked.length;
        await client.ask(REQUEST, null, { signal: NEVER });
        expect(server.asked).toHaveLength(tries + 1);
      });
    });

    it('is told after each experiment was made once', async () => {
      await withServer(
        () => refuses(400, { message: 'Nope.' }),
        async (server) => {
          const failure = await failureOf(clientOf(server).ask(REQUEST, null, { signal: NEVER }));
          expect(failure).toMatchObject({ kind: 'bad-request', retryable: false });
          expect(failure.message).toContain('It says: Nope.');
          expect(server.asked.length).toBeLessThanOrEqual(7);
        },
      );
    });

    it.each([401, 403, 429, 503])('is none of the request with %i', async (status) => {
      await withServer(
        () => refuses(status, { message: 'temperature is not supported' }),
        async (server) => {
          await failureOf(clientOf(server).ask(REQUEST, null, { signal: NEVER }));
          expect(server.asked).toHaveLength(1);
        },
      );
    });
  });

  describe('room for thinking', () => {
    const thinks =
      (needed: number, refusal?: Behaviour) =>
      ({ body }: RecordedRequest): Behaviour =>
        Number(maxTokens(body ?? {})) >= needed
          ? answers('Crabs.')
          : (refusal ?? answers('', { finishReason: 'length' }));

    async function limitsOf(
      script: (request: RecordedRequest) => Behaviour,
      settings?: Parameters<typeof clientOf>[1],
    ): Promise<unknown[]> {
      return withServer(script, async (server) => {
        const client = clientOf(server, settings);
        await client.ask(REQUEST, null, { signal: NEVER });
        await client.ask(REQUEST, null, { signal: NEVER });
        return server.asked.map(({ body }) => maxTokens(body ?? {}));
      });
    }

    it('is given outright by a setting', async () => {
      expect(await limitsOf(thinks(1_500), { thinkingRoom: 3 })).toEqual([1_500, 1_500]);
    });

    it('grows once a call where it is not enough', async () => {
      expect(await limitsOf(thinks(8_000))).toEqual([500, 2_000, 2_000, 8_000]);
    });

    it('is given where the endpoint refuses an answer that ran out of tokens', async () => {
      const message =
        'Could not finish the message because max_tokens or model output limit was reached. Please try again with higher max_tokens.';
      expect(await limitsOf(thinks(2_000, refuses(400, { message })))).toEqual([500, 2_000, 2_000]);
    });

    it('never exceeds the model’s limit', async () => {
      const limit = refuses(400, { message: 'max_tokens is limited to 1200' });
      const script = ({ body }: RecordedRequest): Behaviour =>
        Number(maxTokens(body ?? {})) > 1_200 ? limit : thinks(1_200)({ body } as RecordedRequest);
      expect(await limitsOf(script)).toEqual([500, 2_000, 1_200, 1_200]);
    });

    it('is taken back where the context has no place for it', async () => {
      const message =
        "This model's maximum context length is 1600 tokens. However, you requested 2040 tokens.";
      const script = ({ body }: RecordedRequest): Behaviour =>
        Number(maxTokens(body ?? {})) > 1_600 ? refuses(400, { message }) : answers('Crabs.');
      expect(await limitsOf(script, { thinkingRoom: 4 })).toEqual([2_000, 500, 2_000, 500]);
    });
  });

  describe('Azure', () => {
    const denied = {
      code: '401',
      message:
        'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.',
    };
    const wantsApiKey = ({ headers }: RecordedRequest): Behaviour =>
      headers['api-key'] === undefined ? refuses(401, denied) : answers('Crabs.');

    it('is sent the key as it wants it at a classic address, with its version', async () => {
      const prefix = '/openai/deployments/gpt';
      await withServer(
        wantsApiKey,
        async (server) => {
          const client = clientOf({ baseUrl: `${server.baseUrl}?api-version=2024-06-01` });
          expect((await client.ask(REQUEST, null, { signal: NEVER })).text).toBe('Crabs.');
          expect(server.asked.map(({ path }) => path)).toEqual([
            `${prefix}/chat/completions?api-version=2024-06-01`,
          ]);
        },
        { prefix },
      );
    });

    it('is known by its refusal at any other address, once', async () => {
      await withServer(wantsApiKey, async (server) => {
        const client = clientOf(server);
        await client.ask(REQUEST, null, { signal: NEVER });
        await client.ask(REQUEST, null, { signal: NEVER });
        expect(server.asked.map(({ headers }) => 'api-key' in headers)).toEqual([false, true, true]);
      });
    });

    it('says which address it wants where the key is refused both ways', async () => {
      const prefix = '/openai/deployments/gpt';
      const failure = await withServer(
        () => refuses(401, denied),
        (server) => failureOf(clientOf(server).ask(REQUEST, null, { signal: NEVER })),
        { prefix },
      );
      expect(failure.kind).toBe('wrong-key');
      expect(failure.message).toContain('https://RESOURCE.openai.azure.com/openai/v1');
    });
  });

  describe('a quota', () => {
    const IN_8_HOURS = 8 * 3_600_000;
    const day = (reset: string): Record<string, unknown> => ({
      message:
        'Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day',
      code: 429,
      metadata: { headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': reset } },
    });

    it.each<[string, () => Behaviour]>([
      [
        'a header',
        () =>
          refuses(
            429,
            {},
            { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Date.now() + IN_8_HOURS) },
          ),
      ],
      ['the body', () => refuses(429, day(String(Date.now() + IN_8_HOURS)))],
      ['a body with 200', () => sendsJson({ error: day(String(Date.now() + IN_8_HOURS)) })],
      [
        'the details',
        () =>
          sends(
            429,
            JSON.stringify([
              {
                error: {
                  code: 429,
                  message: 'You exceeded your current quota',
                  details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '28800s' }],
                },
              },
            ]),
          ),
      ],
      [
        'a sentence',
        () =>
          refuses(429, { message: 'Rate limit reached on tokens per day. Please try again in 7h60m0.5s.' }),
      ],
      [
        'a date',
        () =>
          refuses(429, {
            code: 'quota_exceeded',
            message: `Daily quota exceeded, it resets at ${new Date(Date.now() + IN_8_HOURS).toISOString()}`,
          }),
      ],
    ])('of a day is told with its end, by %s', async (_where, refusal) => {
      const failure = await withServer(refusal, (server) =>
        failureOf(clientOf(server).ask(REQUEST, null, { signal: NEVER })),
      );
      expect(failure).toMatchObject({ kind: 'rate-limited', retryable: true });
      expect(Math.round((failure.retryAfterMs ?? 0) / 60_000)).toBe(480);
    });
  });

  describe('a content filter', () => {
    it.each<[string, Behaviour]>([
      [
        'DashScope',
        refuses(400, {
          message: 'Input data may contain inappropriate content.',
          code: 'data_inspection_failed',
        }),
      ],
      ['Gemini', sendsJson({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, choices: [] })],
      [
        'OpenRouter',
        refuses(403, {
          message: 'small-1 requires moderation. Your input was flagged for "violence"',
          code: 403,
          metadata: { reasons: ['violence'], flagged_input: 'x' },
        }),
      ],
      [
        'Zhipu',
        refuses(400, {
          code: '1301',
          message: '系统检测到输入内容可能包含敏感内容',
          contentFilter: [{ role: 'user', level: 1 }],
        }),
      ],
      ['MiniMax', refuses(422, { message: 'input new_sensitive (1026)' })],
    ])('of %s is understood', async (_name, behaviour) => {
      const failure = await withServer(
        () => behaviour,
        (server) => failureOf(clientOf(server).ask(REQUEST, null, { signal: NEVER })),
      );
      expect(failure.kind).toBe('content-filter');
    });
  });
});

describe('endpoints', () => {
  /** Where endpoints differ, in words beside those of tests/engines/recorded. */

  const messagesIn = (request: RecordedRequest | undefined): { role: string; content: string }[] =>
    request?.body?.['messages'] as { role: string; content: string }[];

  /** The answer to a request, and all requests that were made for two of them. */
  async function askedTwice(
    script: (request: RecordedRequest) => Behaviour,
  ): Promise<{ response: ModelResponse; asked: RecordedRequest[] }> {
    return withServer(script, async (server) => {
      const client = clientOf(server);
      const response = await client.ask(REQUEST, null, { signal: NEVER });
      await client.ask(REQUEST, null, { signal: NEVER });
      return { response, asked: [...server.asked] };
    });
  }

  it.each([
    'Only user and assistant roles are supported!',
    'This model does not allow a system message: system messages are unsupported',
  ])('puts the system message at the head of the user’s where it is refused: %s', async (message) => {
    const { response, asked } = await askedTwice((request) =>
      messagesIn(request).some(({ role }) => role === 'system')
        ? refuses(400, { message })
        : answers('Crabs.'),
    );
    expect(response.text).toBe('Crabs.');
    expect(messagesIn(asked[1])).toEqual([
      { role: 'user', content: 'You read notes.\n\nSay what the notes on tide pools hold.' },
    ]);
    expect(asked).toHaveLength(3);
  });

  it.each([
    'The max_tokens of this model is limited to 300',
    'Invalid value for max_completion_tokens: must be less than or equal to 300',
    "'max_tokens' exceeds the limit of 300",
  ])('asks for no more tokens than the model takes: %s', async (message) => {
    const { response, asked } = await askedTwice((request) =>
      Number(request.body?.['max_tokens']) > 300 ? refuses(400, { message }) : answers('Crabs.'),
    );
    expect(response.text).toBe('Crabs.');
    expect(asked.map(({ body }) => body?.['max_tokens'])).toEqual([500, 300, 300]);
  });

  it('takes a complaint about the whole context for what it is', async () => {
    const message =
      "This model's maximum context length is 300 tokens. However, you requested 800 tokens (300 in the messages, 500 in the completion).";
    const script = (): Behaviour => refuses(400, { message });
    const failure = await withServer(script, (server) =>
      failureOf(clientOf(server).ask(REQUEST, null, { signal: NEVER })),
    );
    expect(failure.kind).toBe('context-length');
  });

  describe('a model that thinks until its tokens are gone', () => {
    const thinks = (request: RecordedRequest): Behaviour =>
      Number(request.body?.['max_tokens']) < 2_000
        ? answers('', { finishReason: 'length', usage: { prompt_tokens: 10, completion_tokens: 500 } })
        : answers('Crabs.', { usage: { prompt_tokens: 10, completion_tokens: 700 } });

    it('gets four times the room and is asked to think less, which is remembered', async () => {
      const { response, asked } = await askedTwice(thinks);
      expect(response).toMatchObject({ text: 'Crabs.', usage: { inputTokens: 20, outputTokens: 1_200 } });
      expect(asked.map(({ body }) => [body?.['max_tokens'], body?.['reasoning_effort']])).toEqual([
        [500, undefined],
        [2_000, 'low'],
        [2_000, 'low'],
      ]);
    });

    it.each(['', '<think>hm'])('is not told to where that is refused, with %j before', async (thought) => {
      const { response, asked } = await askedTwice((request) => {
        if ('reasoning_effort' in (request.body ?? {}))
          return refuses(400, { message: 'Unrecognized request argument supplied: reasoning_effort' });
        return Number(request.body?.['max_tokens']) < 2_000
          ? answers(thought, { finishReason: 'length' })
          : thinks(request);
      });
      expect(response.text).toBe('Crabs.');
      expect(asked.at(-1)?.body).not.toHaveProperty('reasoning_effort');
    });

    it('and has no end of it gives its empty answer', async () => {
      const script = (): Behaviour => answers('<think>hm', { finishReason: 'length' });
      const [response, asked] = await withServer(script, async (server) => [
        await clientOf(server).ask(REQUEST, null, { signal: NEVER }),
        server.asked.length,
      ]);
      expect([response, asked]).toMatchObject([{ finishReason: 'length' }, 2]);
    });
  });

  describe('an answer beside its content', () => {
    const message = (fields: Record<string, unknown>, finish = 'stop'): Behaviour =>
      sendsJson({ choices: [{ index: 0, finish_reason: finish, message: { content: null, ...fields } }] });
    const call = { index: 0, function: { name: 'outline', arguments: '{"title":"Tides"}' } };

    it.each<[string, Behaviour, string]>([
      ['in its thinking', message({ reasoning_content: 'Crabs.' }), 'Crabs.'],
      ['in its thinking, under another name', message({ reasoning: 'Crabs.' }), 'Crabs.'],
      ['in no finished thinking', message({ reasoning_content: 'Hm, cra' }, 'length'), ''],
      ['in a tool call', message({ tool_calls: [call] }, 'tool_calls'), '{"title":"Tides"}'],
    ])('is taken: %s', async (_where, behaviour, text) => {
      const script = (): Behaviour => behaviour;
      const response = await withServer(script, (server) =>
        clientOf(server).ask(REQUEST, null, { signal: NEVER }),
      );
      expect(response.text).toBe(text);
    });
  });
});
