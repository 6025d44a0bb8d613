import { answers, refuses, sendsJson } from '../../model-server/behaviours';
import type { Behaviour, RecordedRequest } from '../../model-server/model-server';
import type { ModelResponse } from '../../../src/engines/model/port/model-client';
import { clientOf, failureOf, NEVER, REQUEST, withServer } from './asking';

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
    messagesIn(request).some(({ role }) => role === 'system') ? refuses(400, { message }) : answers('Crabs.'),
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
