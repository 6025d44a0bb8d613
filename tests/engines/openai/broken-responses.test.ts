import fc from 'fast-check';
import { ModelFailure } from '../../../src/engines/model/port/model-failure';
import { completion, delta } from '../../model-server/behaviours';
import { startModelServer, type Behaviour, type ModelServer } from '../../model-server/model-server';
import { clientOf, NEVER, SCHEMA_REQUEST } from './asking';

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

describe('Whatever an endpoint sends', () => {
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
      { seed: 20_260_105, numRuns: 400 },
    );
    // A test of broken bodies alone would not see an answer that is good being refused.
    expect(ends.answers).toBeGreaterThan(10);
    expect(ends.failures).toBeGreaterThan(100);
  });
});
