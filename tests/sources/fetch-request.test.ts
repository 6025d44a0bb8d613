import { type LookupFunction, Socket } from 'node:net';
import fc from 'fast-check';
import { buildConnector } from 'undici';
import { FetchError } from '../../src/sources/fetch-address';
import { guardedConnector, isPublicAddress } from '../../src/sources/fetch-request';
import { forAllTests } from '../support/for-all-tests';
import { type Serve, startLoggingServer } from '../support/logging-server';
import { refusal } from '../support/refusal';
import { createTestWeb, type TestWeb } from './web-under-test';

const server = forAllTests(startLoggingServer);

describe('refused addresses', () => {
  /** The first address of each range that is not public, and one within it (IANA's registries of special addresses; providers' own). */
  const INSIDE_V4 = [
    '0.0.0.0',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
  ];

  const INSIDE_V6 = [
    '::',
    '::1',
    '::2',
    '100::1',
    '64:ff9b:1::1',
    '2001::1',
    '2001:db8::1',
    '2001:10::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
  ];

  const PUBLIC = [
    '1.1.1.1',
    '93.184.216.34',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '2a00:1450::1',
  ];

  /** Every way to write an IPv4 address as a host that a browser or a library is known to take. */
  function spellings(address: string): string[] {
    const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
    const number = ((a * 256 + b) * 256 + c) * 256 + d;
    const hex = (part: number): string => part.toString(16).padStart(2, '0');
    const [high, low] = [`${hex(a)}${hex(b)}`, `${hex(c)}${hex(d)}`];
    const inIPv6 = [
      `::ffff:${address}`,
      `::ffff:${high}:${low}`,
      `0:0:0:0:0:FFFF:${high}:${low}`,
      `::ffff:0:${address}`,
      `::${address}`,
      `64:ff9b::${address}`,
      `2002:${high}:${low}::1`,
      `2001:0:${high}:${low}:0:0:0:1`,
    ];
    return [
      address,
      `${address}.`,
      String(number),
      `0x${number.toString(16)}`,
      `0${number.toString(8)}`,
      [a, b, c, d].map((part) => `0${part.toString(8)}`).join('.'),
      [a, b, c, d].map((part) => `0x${hex(part)}`).join('.'),
      `${a}.${b}.${c * 256 + d}`,
      `${a}.${(b * 256 + c) * 256 + d}`,
      address.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
      address.replaceAll('.', '。'),
      address.replaceAll('.', '．'),
      address.replaceAll('.', '%2e'),
      `public.example@${address}`,
      `public.example:secret@${address}`,
      `1.1.1.1%20@${address}`,
      ...inIPv6.map((spelling) => `[${spelling}]`),
    ];
  }

  const insideV4 = fc.oneof(
    fc.constantFrom(...INSIDE_V4),
    fc
      .tuple(fc.constantFrom('10', '127'), fc.nat(255), fc.nat(255), fc.nat(255))
      .map((parts) => parts.join('.')),
    fc.tuple(fc.constantFrom('192.168', '169.254'), fc.nat(255), fc.nat(255)).map((parts) => parts.join('.')),
  );

  /** How many sockets this process has begun to connect meanwhile. */
  async function socketsOf(work: () => Promise<void>): Promise<number> {
    const connect = vi.spyOn(Socket.prototype, 'connect');
    try {
      await work();
      return connect.mock.calls.length;
    } finally {
      connect.mockRestore();
    }
  }

  describe('attack 1: every address that is not public, in every spelling', () => {
    it('is refused, and no packet is sent', async () => {
      const { fetcher, lookedUp } = createTestWeb({ allow: [] });
      const sockets = await socketsOf(async () => {
        const hosts = [...INSIDE_V4.flatMap(spellings), ...INSIDE_V6.map((address) => `[${address}]`)];
        for (const host of hosts) {
          const { kind } = await refusal(fetcher.fetch(`http://${host}:${server.port}/`), FetchError);
          expect(`${host} ${kind}`).toMatch(/ (?:not-public|bad-address)$/);
        }
      });
      expect({ sockets, lookedUp, seen: server.connections }).toEqual({ sockets: 0, lookedUp: [], seen: [] });
      await fetcher.close();
    });

    it('holds for addresses that nobody thought of', async () => {
      const { fetcher } = createTestWeb({ allow: [] });
      const host = insideV4.chain((address) => fc.constantFrom(...spellings(address)));
      await fc.assert(
        fc.asyncProperty(host, fc.constantFrom('http', 'HTTPS', 'hTTp'), async (spelled, scheme) => {
          const address = `${scheme}://${spelled}:${server.port}/latest/meta-data`;
          expect(['not-public', 'bad-address']).toContain(
            (await refusal(fetcher.fetch(address), FetchError)).kind,
          );
        }),
      );
      expect(server.connections).toEqual([]);
      await fetcher.close();
    });

    it('is no address that names lead to', async () => {
      for (const address of [
        ...INSIDE_V4,
        ...INSIDE_V6,
        '::ffff:127.0.0.1',
        '64:ff9b::10.0.0.1',
        '2002:7f00:1::',
      ]) {
        const { fetcher } = createTestWeb({ allow: [], names: { 'inside.example': [address] } });
        const sockets = await socketsOf(async () => {
          const { kind } = await refusal(fetcher.fetch(`http://inside.example:${server.port}/`), FetchError);
          expect(`${address} ${kind}`).toBe(`${address} not-public`);
        });
        expect(sockets).toBe(0);
        await fetcher.close();
      }
    });

    it('leaves the public internet', () => {
      expect(PUBLIC.filter((address) => !isPublicAddress(address))).toEqual([]);
      expect(['', 'example.org', '1.2.3', '127.0.0.1.', '::1%lo'].filter(isPublicAddress)).toEqual([]);
    });

    it('goes with what is no address of the web', async () => {
      const { fetcher } = createTestWeb({ allow: [] });
      for (const address of [
        'file:///etc/passwd',
        'ftp://public.example/',
        'gopher://public.example/',
        'data:text/plain,hello',
        'javascript:alert(1)',
        '/etc/passwd',
        '//public.example/',
        'http://',
        'http://public.example:25/',
        'https://public.example:6667/',
      ]) {
        const sockets = await socketsOf(async () => {
          const { kind, message } = await refusal(fetcher.fetch(address), FetchError);
          expect(`${address} ${kind}`).toBe(`${address} bad-address`);
          expect(message).toMatch(/; /);
        });
        expect(sockets).toBe(0);
      }
      await fetcher.close();
    });
  });

  describe('attack 9: what may be reached though it is not public', () => {
    it('is the exact host and port that was allowed, and nothing beside it', async () => {
      const own = `127.0.0.1:${server.port}`;
      const { fetcher } = createTestWeb({
        allow: [own, 'wiki.intranet:443'],
        names: { localhost: ['127.0.0.1'], 'wiki.intranet': ['127.0.0.1'] },
      });
      const { bytes } = await fetched(fetcher.fetch(`http://${own}/page`));
      expect(Buffer.from(bytes).toString()).toBe('a page');
      const before = server.connections.length;
      for (const host of [
        'localhost',
        '127.0.0.2',
        '[::1]',
        '[::ffff:127.0.0.1]',
        'wiki.intranet',
        '0.0.0.0',
      ]) {
        const { kind } = await refusal(fetcher.fetch(`http://${host}:${server.port}/`), FetchError);
        expect(`${host} ${kind}`).toBe(`${host} not-public`);
      }
      const other = await refusal(fetcher.fetch('http://127.0.0.1:8080/'), FetchError);
      expect(other.message).toContain('allow 127.0.0.1:8080 by fetch.allow');
      expect(server.connections.length).toBe(before);
      await fetcher.close();
    });
  });

  async function fetched<Answer extends { kind: string }>(
    asked: Promise<Answer>,
  ): Promise<Extract<Answer, { kind: 'fetched' }>> {
    const answer = await asked;
    if (answer.kind !== 'fetched') throw new Error(`it is ${answer.kind}`);
    // Looked at just now.
    return answer as Extract<Answer, { kind: 'fetched' }>;
  }
});

describe('attack 2: names whose answers are made to deceive', () => {
  const PUBLIC = '93.184.216.34';

  it.each([
    ['public first', [PUBLIC, '127.0.0.1']],
    ['public last', ['127.0.0.1', PUBLIC]],
    ['in two families', ['2606:4700:4700::1111', '::1']],
    ['none at all', []],
  ])('an answer that mixes is refused whole: %s', async (_name, answer) => {
    const { fetcher } = createTestWeb({ allow: [], names: { 'mixed.example': answer } });
    const before = server.connections.length;
    const { kind } = await refusal(fetcher.fetch(`http://mixed.example:${server.port}/`), FetchError);
    expect(kind).toBe(answer.length === 0 ? 'unreachable' : 'not-public');
    expect(server.connections.length).toBe(before);
    await fetcher.close();
  });

  it('an answer that changes is asked for once a connection, and the connection goes to what was checked alone', async () => {
    const answers = [[PUBLIC], ['127.0.0.1'], [PUBLIC, '10.0.0.1'], ['93.184.216.35']];
    const went: string[][] = [];
    // Stands for the network: it asks for addresses as a socket does, and goes no further.
    const build = (({ lookup }) =>
      (_where, callback) =>
        lookup?.('changing.example', { all: true }, (_error, found) => {
          went.push(typeof found === 'string' ? [found] : found.map(({ address }) => address));
          callback(Object.assign(new Error('as far as it goes'), { code: 'ECONNREFUSED' }), null);
        })) as (options: { lookup?: LookupFunction }) => buildConnector.connector;
    const resolve = async (): Promise<string[]> => answers.shift() ?? [];
    const connector = guardedConnector(
      { allowed: new Set(), connectMs: 10_000, resolve },
      build as typeof buildConnector,
    );
    const where = { hostname: 'changing.example', host: 'changing.example', protocol: 'http:', port: '80' };
    const kinds: unknown[] = [];
    while (answers.length > 0) {
      const error = await new Promise((failed) => connector(where, (...[failure]) => failed(failure)));
      kinds.push(error instanceof FetchError ? error.kind : error);
    }
    expect(kinds).toEqual(['unreachable', 'not-public', 'not-public', 'unreachable']);
    expect(went).toEqual([[PUBLIC], ['93.184.216.35']]);
  });

  it('the peer of the socket is looked at before a request is written, whatever has led there', async () => {
    const asked = server.requests.length;
    // As if the system, or something beneath it, went elsewhere than it was told.
    const elsewhere: typeof buildConnector = (options) => {
      const connect = buildConnector({
        ...options,
        lookup: (_name, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]),
      });
      return (where, callback) => connect({ ...where, port: String(server.port) }, callback);
    };
    const connector = guardedConnector(
      { allowed: new Set(), connectMs: 10_000, resolve: async () => [PUBLIC] },
      elsewhere,
    );
    const error = await new Promise<Error | null>((resolve) =>
      connector(
        { hostname: 'public.example', host: 'public.example:80', protocol: 'http:', port: '80' },
        (...[failure, socket]) => {
          socket?.destroy();
          resolve(failure);
        },
      ),
    );
    expect(error).toBeInstanceOf(FetchError);
    expect(error?.message).toContain('the connection led to 127.0.0.1, which was not checked');
    expect(server.requests.length).toBe(asked);
  });
});

describe('attack 3: redirects', () => {
  const redirecting =
    (targets: Readonly<Record<string, string>>): Serve =>
    ({ url = '' }, response) => {
      const location = targets[url];
      if (location === undefined) response.end('arrived');
      else response.writeHead(302, { location }).end();
    };

  function openWeb(): TestWeb & { at: (name: string) => string } {
    const at = (name: string): string => `http://${name}.example:${server.port}`;
    const web = createTestWeb({
      allow: [`one.example:${server.port}`, `two.example:${server.port}`],
      names: { 'one.example': ['127.0.0.1'], 'two.example': ['127.0.0.1'], 'inside.example': ['127.0.0.1'] },
    });
    return { ...web, at };
  }

  it('are followed one by one, five at most', async () => {
    const { fetcher, at } = openWeb();
    server.serve = redirecting({ '/5': '/4', '/4': '/3', '/3': '/2', '/2': '/1', '/1': '/0', '/6': '/5' });
    expect(await fetcher.fetch(`${at('one')}/5`)).toMatchObject({ finalUrl: `${at('one')}/0` });
    const { kind, message } = await refusal(fetcher.fetch(`${at('one')}/6`), FetchError);
    expect(kind).toBe('bad-redirect');
    expect(message).toContain('it redirects more than 5 times');
    expect(server.requests.filter(({ path }) => path === '/0')).toHaveLength(1);
    await fetcher.close();
  });

  it.each([
    ['to this machine', () => `http://127.0.0.1:${server.port}/secret`, 'not-public'],
    ['to a number', () => `http://2130706433:${server.port}/secret`, 'not-public'],
    ['to a private network', () => 'http://10.0.0.1/secret', 'not-public'],
    ['to a provider’s inside', () => 'http://169.254.169.254/latest/meta-data', 'not-public'],
    ['to a name that leads inside', () => `http://inside.example:${server.port}/secret`, 'not-public'],
    ['to a file', () => 'file:///etc/passwd', 'bad-address'],
    ['to data', () => 'data:text/plain,secret', 'bad-address'],
    ['to a mail server', () => 'http://one.example:25/', 'bad-address'],
    ['with a name and a password', () => `http://user:word@one.example:${server.port}/secret`, 'bad-address'],
    ['in a circle', () => '/from', 'bad-redirect'],
  ])('%s are refused', async (_name, target, kind) => {
    const { fetcher, at } = openWeb();
    server.serve = redirecting({ '/from': target() });
    expect((await refusal(fetcher.fetch(`${at('one')}/from`), FetchError)).kind).toBe(kind);
    expect(server.requests.map(({ path }) => path)).not.toContain('/secret');
    await fetcher.close();
  });

  it('of robots.txt are followed under the same rules', async () => {
    const { fetcher, at } = openWeb();
    const asked = server.requests.length;
    server.robotsAt = 'http://169.254.169.254/robots.txt';
    expect((await refusal(fetcher.fetch(`${at('one')}/`), FetchError)).kind).toBe('not-public');
    server.robotsAt = null;
    expect(server.requests.length).toBe(asked);
    await fetcher.close();
  });

  it('take credentials to their own origin alone, whatever they are called', async () => {
    const { fetcher, at } = openWeb();
    server.serve = redirecting({ '/a': '/b', '/b': `${at('two')}/c`, '/c': `${at('one')}/d` });
    const headers = { authorization: 'Bearer key', cookie: 'session=key', 'x-api-key': 'key' };
    await fetcher.fetch(`${at('one')}/a`, { headers });
    const told = Object.fromEntries(
      server.requests
        .slice(-4)
        .map(({ path, headers: { authorization, cookie, 'x-api-key': own } }) => [
          path,
          [authorization, cookie, own].filter((value) => value !== undefined).length,
        ]),
    );
    expect(told).toEqual({ '/a': 3, '/b': 3, '/c': 0, '/d': 0 });
    await fetcher.close();
  });
});
