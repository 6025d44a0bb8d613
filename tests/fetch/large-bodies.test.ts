import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { FetchError } from '../../src/fetch/fetch-error';
import { forAllTests } from '../support/for-all-tests';
import { startLoggingServer } from '../support/logging-server';
import { refusal } from '../support/refusal';
import { createTestWeb, type TestWeb } from './web-under-test';

const server = forAllTests(startLoggingServer);
const MB = 1_048_576;

function openWeb(bodyBytes: number): TestWeb & { page: string } {
  const host = `127.0.0.1:${server.port}`;
  return { ...createTestWeb({ allow: [host], limits: { bodyBytes } }), page: `http://${host}/page` };
}

describe('attack 4: bodies that inflate', () => {
  const inflated = Buffer.alloc(128 * MB);
  it.each([
    ['gzip', gzipSync(inflated)],
    ['x-gzip', gzipSync(inflated)],
    ['deflate', deflateSync(inflated)],
    ['br', brotliCompressSync(inflated, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ])('end under the cap: %s', async (encoding, body) => {
    expect(body.length).toBeLessThan(MB);
    const { fetcher, page } = openWeb(2 * MB);
    server.serve = (_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(body);
    const { kind, message } = await refusal(fetcher.fetch(page), FetchError);
    expect(kind).toBe('too-large');
    expect(message).toContain('larger than the 2 MB');
    await fetcher.close();
  });

  it('end as they come, where they have no end', async () => {
    const { fetcher, page } = openWeb(MB);
    // A member of gzip that holds nothing: what is decoded never grows.
    const nothing = gzipSync('');
    const parts = Buffer.concat(Array(1_000).fill(nothing));
    for (const encoding of ['gzip', 'identity']) {
      const hungUp = new Promise<void>((resolve) => {
        server.serve = (_request, response) => {
          const write = (): void => {
            while (!response.destroyed && response.write(parts));
          };
          response.writeHead(200, { 'content-encoding': encoding }).on('drain', write);
          response.on('close', resolve);
          write();
        };
      });
      expect((await refusal(fetcher.fetch(page), FetchError)).kind).toBe('too-large');
      await hungUp;
    }
    await fetcher.close();
  });

  it('are not begun where their length is told', async () => {
    const { fetcher, page } = openWeb(MB);
    server.serve = (_request, response) =>
      response.writeHead(200, { 'content-length': 5 * MB }).flushHeaders();
    expect((await refusal(fetcher.fetch(page), FetchError)).kind).toBe('too-large');
    await fetcher.close();
  });
});

it('decodes what fits, and says what cannot be decoded', async () => {
  const { fetcher, page } = openWeb(MB);
  const body = Buffer.from('a page in an encoding, '.repeat(1_000));
  for (const [encoding, encoded] of [
    ['gzip', gzipSync(body)],
    ['br', brotliCompressSync(body)],
    ['deflate', deflateSync(body)],
    ['identity', body],
  ] as const) {
    server.serve = (_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(encoded);
    expect(await fetcher.fetch(page)).toMatchObject({ kind: 'fetched', bytes: body });
  }
  for (const [encoding, encoded] of [
    ['gzip', body],
    ['gzip', gzipSync(body).subarray(0, 40)],
    ['br', Buffer.from('no brotli at all')],
    ['zstd', body],
    ['gzip, br', body],
  ] as const) {
    server.serve = (_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(encoded);
    expect((await refusal(fetcher.fetch(page), FetchError)).kind).toBe('unreadable');
  }
  server.serve = (_request, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('cut', () => response.destroy());
  };
  expect(await refusal(fetcher.fetch(page), FetchError)).toMatchObject({
    kind: 'unreachable',
    isRetryable: true,
  });
  await fetcher.close();
});
