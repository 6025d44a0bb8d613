import { FetchError } from '../../src/fetch/fetch-error';
import { forAllTests } from '../support/for-all-tests';
import { startLoggingServer } from '../support/logging-server';
import { refusal } from '../support/refusal';
import { createTestWeb, type TestWeb } from './web-under-test';

const server = forAllTests(startLoggingServer);
afterEach(() => {
  server.robots = null;
});

function openWeb(paceMs = 0): TestWeb & { site: string } {
  const host = `127.0.0.1:${server.port}`;
  return { ...createTestWeb({ allow: [host], paceMs }), site: `http://${host}` };
}

describe('a fetcher among servers', () => {
  it('says who it is, and nothing of whom it works for', async () => {
    const { fetcher, site } = openWeb();
    await fetcher.fetch(`${site}/named`);
    const { host, connection, ...told } = server.requests.at(-1)?.headers ?? {};
    expect(told).toEqual({
      accept: '*/*',
      'accept-encoding': 'gzip, br, deflate',
      'user-agent': 'Colligate/test',
    });
    await fetcher.close();
  });

  it('keeps to robots.txt, which it asks for once', async () => {
    const { fetcher, site } = openWeb();
    const asked = server.robotsAsked;
    server.robots = 'User-agent: colligate\nDisallow: /kept\nAllow: /kept/open\n\nUser-agent: *\nDisallow: /';
    await fetcher.fetch(`${site}/page`);
    await fetcher.fetch(`${site}/kept/open`);
    const { kind, message } = await refusal(fetcher.fetch(`${site}/kept/away`), FetchError);
    expect(kind).toBe('robots');
    expect(message).toContain('robots.txt');
    expect(server.robotsAsked).toBe(asked + 1);
    expect(server.requests.map(({ path }) => path)).not.toContain('/kept/away');
    await fetcher.close();
  });

  it('leaves the pages of a site that cannot say what it allows, and asks it once', async () => {
    const { fetcher, site } = openWeb();
    const [asked, requests] = [server.robotsAsked, server.requests.length];
    Object.assign(server, { robots: '', robotsStatus: 500 });
    for (const path of ['/one', '/two']) {
      const { kind, address, reason } = await refusal(fetcher.fetch(`${site}${path}`), FetchError);
      expect({ kind, address, reason }).toEqual({
        kind: 'refused',
        address: `${site}${path}`,
        reason: 'its server fails (500); try again later',
      });
    }
    server.robotsStatus = 200;
    expect([server.robotsAsked, server.requests.length]).toEqual([asked + 1, requests]);
    await fetcher.close();
  });

  it('keeps requests to a host apart, as long as its robots.txt asks for within a limit', async () => {
    const one = openWeb(500);
    await one.fetcher.fetch(`${one.site}/a`);
    await one.fetcher.fetch(`${one.site}/b`);
    await one.fetcher.fetch(`${one.site}/c`);
    expect(one.waits).toEqual([500, 500]);
    server.robots = 'User-agent: *\nCrawl-delay: 3';
    const slow = openWeb(500);
    await slow.fetcher.fetch(`${slow.site}/a`);
    await slow.fetcher.fetch(`${slow.site}/b`);
    expect(slow.waits).toEqual([3_000]);
    server.robots = 'User-agent: *\nCrawl-delay: 86400';
    const never = openWeb(500);
    await never.fetcher.fetch(`${never.site}/a`);
    await never.fetcher.fetch(`${never.site}/b`);
    expect(never.waits).toEqual([30_000]);
    await Promise.all([one, slow, never].map(({ fetcher }) => fetcher.close()));
  });

  it('comes back when a server asks it to, and not beyond a limit', async () => {
    const { fetcher, site, waits } = openWeb();
    const answers = [
      { 'retry-after': '7' },
      { 'retry-after': 'Thu, 26 Nov 2026 10:00:09 GMT', date: 'Thu, 26 Nov 2026 10:00:00 GMT' },
    ];
    server.serve = (_request, response) => {
      const headers = answers.shift();
      if (headers === undefined) response.end('a page at last');
      else response.writeHead(429, headers).end();
    };
    expect(await fetcher.fetch(`${site}/busy`)).toMatchObject({ kind: 'fetched' });
    expect(waits).toEqual([7_000, 9_000]);
    for (const headers of [{ 'retry-after': '3600' }, {}, { 'retry-after': 'soon' }]) {
      server.serve = (_request, response) => response.writeHead(503, headers).end();
      expect(await refusal(fetcher.fetch(`${site}/busy`), FetchError)).toMatchObject({
        kind: 'busy',
        isRetryable: true,
      });
    }
    expect(waits).toHaveLength(2);
    server.serve = (_request, response) => response.writeHead(503, { 'retry-after': '1' }).end();
    const before = server.requests.length;
    expect((await refusal(fetcher.fetch(`${site}/busy`), FetchError)).kind).toBe('busy');
    expect(server.requests.length - before).toBe(3);
    await fetcher.close();
  });

  it('takes no bytes of a page that has not changed', async () => {
    const { fetcher, site } = openWeb();
    server.serve = ({ headers }, response) => {
      if (headers['if-none-match'] === '"one"') response.writeHead(304).end();
      else
        response.writeHead(200, { etag: '"one"', 'content-type': 'text/plain; charset=utf-8' }).end('a page');
    };
    const page = await fetcher.fetch(`${site}/page#part`);
    expect(page).toEqual({
      kind: 'fetched',
      bytes: Buffer.from('a page'),
      mediaType: 'text/plain; charset=utf-8',
      finalUrl: `${site}/page`,
      fetchedAt: '2026-11-26T12:00:00.000Z',
      etag: '"one"',
      lastModified: null,
    });
    if (page.kind !== 'fetched') throw new Error('it was not fetched');
    expect(await fetcher.fetch(`${site}/page`, { validators: page })).toEqual({ kind: 'not-modified' });
    // What a server gave for one address is told for no other.
    expect(await fetcher.fetch(`${site}/other`, { validators: page })).toMatchObject({ kind: 'fetched' });
    server.serve = (_request, response) => response.writeHead(304).end();
    expect((await refusal(fetcher.fetch(`${site}/page`), FetchError)).kind).toBe('refused');
    await fetcher.close();
  });

  it.each([
    [401, false],
    [404, false],
    [410, false],
    [418, false],
    [500, true],
  ])('tells an answer of %i, and whether to try again', async (status, isRetryable) => {
    const { fetcher, site } = openWeb();
    server.serve = (_request, response) => response.writeHead(status).end('x'.repeat(1_000));
    const error = await refusal(fetcher.fetch(`${site}/page`), FetchError);
    expect(error).toMatchObject({ kind: 'refused', isRetryable });
    expect(error.message).toContain(String(status));
    await fetcher.close();
  });
});

describe('attack 10: keys in addresses', () => {
  it('are in no error, whatever has gone wrong', async () => {
    const { fetcher, site } = openWeb();
    server.serve = ({ url = '' }, response) =>
      url.startsWith('/to')
        ? response.writeHead(302, { location: 'http://10.0.0.1/?token=s3cr3t#s3cr3t' }).end()
        : response.writeHead(404).end();
    for (const address of [
      `${site}/page?X-Amz-Signature=s3cr3t`,
      `${site}/to?key=s3cr3t`,
      'http://user:s3cr3t@public.example/?token=s3cr3t',
      'http://user:s3cr3t@/?token=s3cr3t',
      'https://unknown.example/page?key=s3cr3t#s3cr3t',
      'ftp://user:s3cr3t@public.example/?a=s3cr3t',
      'not an address?key=s3cr3t',
      `https://public.example/?s3cr3t=${'s3cr3t'.repeat(1_000)}`,
    ]) {
      const error = await refusal(fetcher.fetch(address, { headers: { 'x-api-key': 's3cr3t' } }), FetchError);
      expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain('s3cr3t');
    }
    await fetcher.close();
  });
});
