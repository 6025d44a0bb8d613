import { answers, delta, refuses, sendsJson, streams } from '../../model-server/behaviours';
import type { Behaviour, RecordedRequest } from '../../model-server/model-server';
import { clientOf, failureOf, NEVER, REQUEST, SCHEMA_REQUEST, withServer } from './asking';

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

describe('A parameter that an endpoint refuses', () => {
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

  it('is remembered where the next answer fails', async () => {
    const script = [
      refuses(400, { message: 'temperature is deprecated', param: 'temperature' }),
      refuses(503, {}),
      answers('Crabs.'),
    ];
    await withServer(script, async (server) => {
      const client = clientOf(server);
      expect((await failureOf(client.ask(REQUEST, null, { signal: NEVER }))).kind).toBe('overloaded');
      await client.ask(REQUEST, null, { signal: NEVER });
      expect(server.asked).toHaveLength(3);
      expect(server.asked[2]?.body).not.toHaveProperty('temperature');
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

  it('is not remembered where nothing was explained and leaving it out did not help', async () => {
    const vague = refuses(400, { message: 'Bad Request' });
    await withServer([vague, vague, vague, answers('Crabs.')], async (server) => {
      const client = clientOf(server);
      const options = { signal: NEVER, onText: () => undefined };
      expect(await failureOf(client.ask(REQUEST, null, options))).toMatchObject({ kind: 'bad-request' });
      await client.ask(REQUEST, null, options);
      expect(server.asked[3]?.body).toHaveProperty('stream_options');
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

  it('may be the newer name', async () => {
    const fickle = [
      refuses(400, { message: "'max_tokens' is not supported", param: 'max_tokens' }),
      answers('Crabs.'),
      refuses(400, { message: 'Unrecognized request argument supplied: max_completion_tokens' }),
      answers('Snails.'),
    ];
    await withServer(fickle, async (server) => {
      const client = clientOf(server);
      await client.ask(REQUEST, null, { signal: NEVER });
      expect((await client.ask(REQUEST, null, { signal: NEVER })).text).toBe('Snails.');
      expect(server.asked[3]?.body).toMatchObject({ max_tokens: 500 });
    });
  });

  it('is asked about once: an endpoint that refuses both names fails', async () => {
    const both = (request: RecordedRequest): Behaviour => {
      const name = has(request, 'max_tokens') ? 'max_tokens' : 'max_completion_tokens';
      return refuses(400, { message: `Unsupported parameter: ${name}` });
    };
    await withServer(both, async (server) => {
      const failure = await failureOf(clientOf(server).ask(REQUEST, null, { signal: NEVER }));
      expect(failure).toMatchObject({ kind: 'bad-request', retryable: false });
      expect(server.asked).toHaveLength(2);
    });
  });

  it('may be strictness, which the schema does without', async () => {
    const message =
      "Invalid schema for response_format 'outline': In context=(), 'additionalProperties' is required to be supplied and to be false.";
    await withServer([refuses(400, { message }), answers('{}'), answers('{}')], async (server) => {
      const client = clientOf(server);
      const { rung } = await client.ask(SCHEMA_REQUEST, 'json-schema', { signal: NEVER });
      expect(rung).toBe('json-schema');
      expect(server.asked[1]?.body).toMatchObject({ response_format: { json_schema: { strict: false } } });
    });
  });

  const limit = 'Invalid argument: max_tokens is too large: 500. This model supports at most 100.';
  const long = "This model's maximum context length is 100 tokens; max_tokens is not supported";
  const broken = { error: { message: 'stream_options is not supported', code: 400 } };

  it.each<[string, Behaviour]>([
    ['a limit', refuses(400, { message: limit, param: 'max_tokens' })],
    ['a long request', refuses(400, { message: long })],
    ['a server that fails', refuses(500, { message: 'temperature is not supported' })],
    ['a broken stream', streams([delta('Cra'), broken])],
  ])('is not what %s is about', async (_what, behaviour) => {
    await withServer([behaviour], async (server) => {
      await failureOf(clientOf(server).ask(REQUEST, null, { signal: NEVER, onText: () => undefined }));
      expect(server.asked).toHaveLength(1);
    });
  });
});
