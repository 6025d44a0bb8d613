import { Socket } from 'node:net';
import fc from 'fast-check';
import { FetchError } from '../../src/fetch/fetch-error';
import { isPublicAddress } from '../../src/fetch/public-address';
import { forAllTests } from '../support/for-all-tests';
import { startLoggingServer } from '../support/logging-server';
import { refusal } from '../support/refusal';
import { createTestWeb } from './web-under-test';

const server = forAllTests(startLoggingServer);

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
