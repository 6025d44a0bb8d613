import { gzipSync } from 'node:zlib';
import { FetchError } from '../../src/fetch/fetch-error';
import { forAllTests } from '../support/for-all-tests';
import { startLoggingServer } from '../support/logging-server';
import { refusal } from '../support/refusal';
import { createTestWeb, type TestWeb } from './web-under-test';

const server = forAllTests(startLoggingServer);
afterEach(() => {
  server.robots = null;
});

const MB = 1_048_576;

function openWeb(paceMs = 0): TestWeb & { at: (name: string) => string } {
  const web = createTestWeb({
    allow: [`one.example:${server.port}`, `two.example:${server.port}`],
    names: { 'one.example': ['127.0.0.1'], 'two.example': ['127.0.0.1'], 'inside.example': ['127.0.0.1'] },
    paceMs,
  });
  return { ...web, at: (name) => `http://${name}.example:${server.port}` };
}

describe('a service for programs', () => {
  it('is asked without its robots.txt, which speaks of pages, and what is sent to it comes as JSON', async () => {
    const { fetcher, at } = openWeb();
    server.robots = 'User-agent: *\nDisallow: /';
    const robotsAsked = server.robotsAsked;
    server.serve = (request, response) => {
      const { method = '', headers } = request;
      const answer = (sent: Buffer[]): unknown =>
        response.end(`${method} ${headers['content-type'] ?? ''} ${Buffer.concat(sent).toString()}`);
      void request.toArray().then(answer);
    };
    const told = async (question: object): Promise<string> =>
      Buffer.from(await fetcher.ask(`${at('one')}/api`, { maxBytes: MB, ...question })).toString();
    expect(await told({})).toBe('GET  ');
    expect(await told({ body: { query: 'ölçüm' } })).toBe('POST application/json {"query":"ölçüm"}');
    expect(server.robotsAsked).toBe(robotsAsked);
    await fetcher.close();
  });

  it('is asked again after its gap where it is busy and does not say for how long, twice', async () => {
    const { fetcher, at, waits } = openWeb(500);
    const statuses = [429, 503];
    server.serve = (_request, response) => response.writeHead(statuses.shift() ?? 200).end('at last');
    await fetcher.ask(`${at('one')}/api`, { maxBytes: MB, gapMs: 3_000 });
    expect(waits).toEqual([3_000, 3_000]);
    server.serve = (_request, response) => response.writeHead(429).end();
    const asked = server.requests.length;
    const { kind, isRetryable } = await refusal(
      fetcher.ask(`${at('one')}/api`, { maxBytes: MB }),
      FetchError,
    );
    expect({ kind, isRetryable, asked: server.requests.length - asked }).toEqual({
      kind: 'busy',
      isRetryable: true,
      asked: 3,
    });
    await fetcher.close();
  });

  it('keeps the gap that it asks for between two questions, and that of pages where that is longer', async () => {
    const { fetcher, at, waits } = openWeb(500);
    server.serve = (_request, response) => response.end('{}');
    for (const gapMs of [3_000, 100, 100]) await fetcher.ask(`${at('one')}/api`, { maxBytes: MB, gapMs });
    expect(waits).toEqual([3_000, 500]);
    await fetcher.close();
  });

  it('tells with which status it refuses', async () => {
    const { fetcher, at } = openWeb();
    for (const [status, isRetryable] of [
      [401, false],
      [500, true],
    ] as const) {
      server.serve = (_request, response) => response.writeHead(status).end('s3cr3t');
      const error = await refusal(
        fetcher.ask(`${at('one')}/api?api_key=s3cr3t`, { maxBytes: MB, headers: { 'x-api-key': 's3cr3t' } }),
        FetchError,
      );
      expect(error).toMatchObject({ kind: 'refused', status, isRetryable });
      expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain('s3cr3t');
    }
    await fetcher.close();
  });
});

describe('attack 9: the address of a service', () => {
  it.each([
    ['is on this machine', () => `http://127.0.0.1:${server.port}/secret`, 'not-public'],
    ['is a name that leads inside', () => `http://inside.example:${server.port}/secret`, 'not-public'],
    ['is a cloud’s inside', () => 'http://169.254.169.254/latest/meta-data', 'not-public'],
    ['is a file', () => 'file:///etc/passwd', 'bad-address'],
    ['has a name and a password', () => `http://user:word@one.example:${server.port}/secret`, 'bad-address'],
  ])('is refused where it %s', async (_where, address, kind) => {
    const { fetcher } = openWeb();
    for (const question of [{ maxBytes: MB }, { maxBytes: MB, body: { query: 'x' } }])
      expect((await refusal(fetcher.ask(address(), question), FetchError)).kind).toBe(kind);
    expect(server.requests.map(({ path }) => path)).not.toContain('/secret');
    await fetcher.close();
  });

  it('redirects to another origin without the key, and inside not at all', async () => {
    const { fetcher, at } = openWeb();
    server.serve = ({ url = '' }, response) => {
      const location = { '/a': `${at('two')}/b`, '/c': `http://inside.example:${server.port}/secret` }[url];
      if (location === undefined) response.end('arrived');
      else response.writeHead(302, { location }).end();
    };
    const question = { maxBytes: MB, headers: { 'x-api-key': 'key' } };
    await fetcher.ask(`${at('one')}/a`, question);
    expect(server.requests.slice(-2).map(({ path, headers }) => [path, headers['x-api-key']])).toEqual([
      ['/a', 'key'],
      ['/b', undefined],
    ]);
    expect((await refusal(fetcher.ask(`${at('one')}/c`, question), FetchError)).kind).toBe('not-public');
    expect(server.requests.map(({ path }) => path)).not.toContain('/secret');
    await fetcher.close();
  });

  it.each([301, 302, 303, 307, 308])('sends what it was sent nowhere else with a %i', async (status) => {
    const { fetcher, at } = openWeb();
    server.serve = (_request, response) => response.writeHead(status, { location: '/elsewhere' }).end();
    const { kind } = await refusal(fetcher.ask(`${at('one')}/api`, { maxBytes: MB, body: {} }), FetchError);
    expect(kind).toBe('bad-redirect');
    expect(server.requests.map(({ path }) => path)).not.toContain('/elsewhere');
    await fetcher.close();
  });

  it('is held to the bytes that its answer may have, as they are decoded', async () => {
    const { fetcher, at } = openWeb();
    server.serve = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(3 * MB)));
    expect((await refusal(fetcher.ask(`${at('one')}/api`, { maxBytes: MB }), FetchError)).kind).toBe(
      'too-large',
    );
    await fetcher.close();
  });
});
