import { type AddressInfo, createServer, type Socket } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { FetchError } from '../../src/sources/fetch-address';
import type { FetchLimits } from '../../src/sources/fetch-request';
import { parseRobots } from '../../src/sources/fetcher';
import { forAllTests } from '../support/for-all-tests';
import { startLoggingServer } from '../support/logging-server';
import { refusal } from '../support/refusal';
import { createTestWeb, type TestWeb } from './web-under-test';

describe('servers', () => {
  const server = forAllTests(startLoggingServer);

  const MB = 1_048_576;

  afterEach(() => {
    server.robots = null;
    server.serve = (_request, response) => response.end('a page');
  });

  describe('large bodies', () => {
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
  });

  describe('attack 5: servers that take their time', () => {
    /** A server that answers robots.txt, and does with the socket of any other request what a test says. */
    const server = forAllTests(async () => {
      const raw = {
        port: 0,
        answer: (_socket: Socket): void => undefined,
        closed: 0,
        close: async () => listener.close(),
      };
      const listener = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.on('close', () => (raw.closed += 1));
        socket.on('data', (data) => {
          if (data.includes('/robots.txt'))
            socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
          else raw.answer(socket);
        });
      });
      await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
      return Object.assign(raw, { port: (listener.address() as AddressInfo).port });
    });

    /** Writes a part again and again until the other side has gone. */
    function repeating(part: string, first = ''): (socket: Socket) => void {
      return (socket) => {
        socket.write(first);
        const timer = setInterval(() => socket.write(part), 5);
        socket.on('close', () => clearInterval(timer));
      };
    }

    async function failureOf(limits: Partial<FetchLimits>, signal?: AbortSignal): Promise<FetchError> {
      const host = `127.0.0.1:${server.port}`;
      const { fetcher } = createTestWeb({ allow: [host], limits });
      try {
        return await refusal(
          fetcher.fetch(`http://${host}/page`, { ...(signal ? { signal } : {}) }),
          FetchError,
        );
      } finally {
        await fetcher.close();
      }
    }

    const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n';

    it('that never answer are ended', async () => {
      server.answer = () => undefined;
      expect(await failureOf({ connectMs: 50, headersMs: 50 })).toMatchObject({
        kind: 'too-slow',
        isRetryable: true,
      });
    });

    it('that send a byte at a time are ended by the time for the whole', async () => {
      server.answer = repeating('x', `${OK}Content-Length: 1000000\r\n\r\n`);
      const { kind, message } = await failureOf({ answerMs: 300 });
      expect(kind).toBe('too-slow');
      expect(message).toContain('it was not sent whole within 0.3 seconds');
    });

    it('that fall silent within a body are ended', async () => {
      server.answer = (socket) => socket.write(`${OK}Content-Length: 100\r\n\r\nhalf`);
      expect((await failureOf({ idleMs: 100 })).message).toContain(
        'it sent nothing further within 0.1 seconds',
      );
    });

    it('that send headers without end are ended by their size, or by the time for them', async () => {
      server.answer = (socket) => {
        const write = (): void => {
          while (!socket.destroyed && socket.write(`X-More: ${'x'.repeat(1_000)}\r\n`));
        };
        socket.write(OK);
        socket.on('drain', write);
        write();
      };
      expect((await failureOf({})).kind).toBe('too-large');
      server.answer = repeating('x', `${OK}X-More: `);
      expect((await failureOf({ connectMs: 100, headersMs: 100 })).kind).toBe('too-slow');
      server.answer = repeating('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n');
      expect((await failureOf({ connectMs: 100, headersMs: 100 })).kind).toBe('too-slow');
    });

    it('that do not speak as the web does are told', async () => {
      server.answer = (socket) => socket.write('220 mail.example ESMTP\r\n');
      expect((await failureOf({})).kind).toBe('unreadable');
    });

    it('are left at once when nobody waits any more', async () => {
      const closed = server.closed;
      const stopped = new AbortController();
      server.answer = () => stopped.abort(new Error('cancelled'));
      await expect(failureOf({}, stopped.signal)).rejects.toThrow('cancelled');
      expect(server.closed).toBeGreaterThanOrEqual(closed);
    });
  });

  describe('manners', () => {
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
        server.robots =
          'User-agent: colligate\nDisallow: /kept\nAllow: /kept/open\n\nUser-agent: *\nDisallow: /';
        await fetcher.fetch(`${site}/page`);
        await fetcher.fetch(`${site}/kept/open`);
        const { kind, message } = await refusal(fetcher.fetch(`${site}/kept/away`), FetchError);
        expect(kind).toBe('robots');
        expect(message).toContain('robots.txt');
        expect(server.robotsAsked).toBe(asked + 1);
        expect(server.requests.map(({ path }) => path)).not.toContain('/kept/away');
        await fetcher.close();
      });

      it('reads the start of a robots.txt that is too large', async () => {
        const { fetcher, site } = openWeb();
        server.robots = `User-agent: *\nDisallow: /kept\n${'# a remark\n'.repeat(60_000)}Disallow: /\n`;
        await fetcher.fetch(`${site}/page`);
        expect((await refusal(fetcher.fetch(`${site}/kept`), FetchError)).kind).toBe('robots');
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
            response
              .writeHead(200, { etag: '"one"', 'content-type': 'text/plain; charset=utf-8' })
              .end('a page');
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
          const error = await refusal(
            fetcher.fetch(address, { headers: { 'x-api-key': 's3cr3t' } }),
            FetchError,
          );
          expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain('s3cr3t');
        }
        await fetcher.close();
      });
    });
  });

  describe('services', () => {
    function openWeb(paceMs = 0): TestWeb & { at: (name: string) => string } {
      const web = createTestWeb({
        allow: [`one.example:${server.port}`, `two.example:${server.port}`],
        names: {
          'one.example': ['127.0.0.1'],
          'two.example': ['127.0.0.1'],
          'inside.example': ['127.0.0.1'],
        },
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
            fetcher.ask(`${at('one')}/api?api_key=s3cr3t`, {
              maxBytes: MB,
              headers: { 'x-api-key': 's3cr3t' },
            }),
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
        [
          'has a name and a password',
          () => `http://user:word@one.example:${server.port}/secret`,
          'bad-address',
        ],
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
          const location = { '/a': `${at('two')}/b`, '/c': `http://inside.example:${server.port}/secret` }[
            url
          ];
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
        const { kind } = await refusal(
          fetcher.ask(`${at('one')}/api`, { maxBytes: MB, body: {} }),
          FetchError,
        );
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
  });
});

const allows = (robots: string, path: string): boolean =>
  parseRobots(robots).isAllowed(new URL(path, 'https://example.org'));

describe('robots.txt', () => {
  it.each([
    ['a path below a rule', 'User-agent: *\nDisallow: /kept', '/kept/page', false],
    ['a path beside it', 'User-agent: *\nDisallow: /kept', '/page', true],
    ['the longer rule', 'User-agent: *\nDisallow: /kept\nAllow: /kept/open', '/kept/open', true],
    ['of two as long the one that allows', 'User-agent: *\nDisallow: /ab\nAllow: /ab', '/ab', true],
    ['a wildcard', 'User-agent: *\nDisallow: /*/private/', '/a/b/private/c', false],
    ['an end', 'User-agent: *\nDisallow: /*.pdf$', '/a.pdf', false],
    ['no more than the end', 'User-agent: *\nDisallow: /*.pdf$', '/a.pdf?x', true],
    ['an end that overlaps', 'User-agent: *\nDisallow: /ab*ba$', '/aba', true],
    ['our own group alone', 'User-agent: Colligate/1.0\nAllow: /\n\nUser-agent: *\nDisallow: /', '/a', true],
    ['a group of several', 'User-agent: a\nUser-agent: colligate\nDisallow: /', '/a', false],
    ['remarks, and an empty rule', '# no\nUser-agent: * # all\nDisallow:', '/a', true],
    ['escapes in either case', 'User-agent: *\nDisallow: /%e4', '/%E4', false],
    ['letters of any script', 'User-agent: *\nDisallow: /ä', '/ä', false],
  ])('%s', (_name, robots, path, expected) => {
    expect(allows(robots, path)).toBe(expected);
  });

  const PATH = `/${'a'.repeat(3_900)}`;
  const filled = (line: string): string =>
    `User-agent: *\n${`${line}\n`.repeat(Math.ceil(482_000 / (line.length + 1)))}`;

  it.each([
    ['many wildcards', filled(`Disallow: /${'*a'.repeat(900)}b$`)],
    ['a piece that repeats itself', filled(`Disallow: /*${'a'.repeat(1_900)}b`)],
    ['many short rules', filled('Disallow: /*b')],
    ['many agents', filled('User-agent: colligate')],
    ['one endless line', `User-agent: *\nDisallow: /${'*a'.repeat(240_000)}`],
  ])('reads and matches twenty times within the limit of a test: %s', (_name, robots) => {
    // A matcher that backtracks takes 10 s for one of these.
    for (let times = 0; times < 20; times += 1)
      expect(parseRobots(robots).isAllowed(new URL(PATH, 'https://example.org'))).toBe(true);
  });
});
