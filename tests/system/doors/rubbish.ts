import { defaultPayloadConverter, type Payload } from '@temporalio/common';

/** What somebody may put in the place of an argument: bytes with what is said of them. */
export interface Rubbish {
  name: string;
  payload: Payload;
}

const bytes = (text: string): Uint8Array => Buffer.from(text);
const LARGE_CHARS = 1_500_000;

/** A text of JSON, as a client would send it. */
function json(name: string, text: string | Uint8Array): Rubbish {
  return {
    name,
    payload: {
      metadata: { encoding: bytes('json/plain') },
      data: typeof text === 'string' ? bytes(text) : text,
    },
  };
}

function value(name: string, given: unknown): Rubbish {
  return { name, payload: defaultPayloadConverter.toPayload(given) };
}

function encoded(
  name: string,
  encoding: string,
  data: Uint8Array,
  more: Record<string, string> = {},
): Rubbish {
  const metadata = { encoding, ...more };
  return {
    name,
    payload: {
      metadata: Object.fromEntries(Object.entries(metadata).map(([key, text]) => [key, bytes(text)])),
      data,
    },
  };
}

const byTheThousand = Object.fromEntries(
  Array.from({ length: 2_000 }, (_, index) => [`unknown${index}`, index]),
);
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const nestedObjects = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
/** An odd number of units before it, so that whoever cuts at an even one cuts a pair. */
const pairs = (before: number): string => 'x'.repeat(before) + '😀'.repeat(100);

/** Values of the wrong kind, and those with which objects are tampered. */
const VALUES: readonly Rubbish[] = [
  value('nothing', undefined),
  value('null', null),
  value('true', true),
  value('false', false),
  value('zero', 0),
  value('a negative number', -1),
  value('the largest number', 1e308),
  json('a number beyond all', '1e999'),
  value('a fraction', 0.1),
  value('an empty text', ''),
  value('a text', 'Does it help?'),
  value('a text of JSON', '{"question":"Does it help?"}'),
  value('a line of control characters', '\u0000\u001b[31m\u202e\u2028'),
  json('half a pair of units', '"\\ud800"'),
  json('a field named by half a pair', '{"\\udc00":1,"question":"\\ud83d"}'),
  value('fields whose names end within a pair', { [pairs(0)]: 1, [pairs(1)]: 2 }),
  value('texts that end within a pair', [pairs(0), pairs(1)]),
  value('an empty list', []),
  value('a list of an empty list', [[]]),
  value('a list of what could be meant', [{ question: 'Does it help?' }]),
  value(
    'a list of nulls',
    Array.from({ length: 5_000 }, () => null),
  ),
  value('an empty object', {}),
  value('a field without a name', { '': '' }),
  json('__proto__', '{"__proto__":{"question":"Does it help?","id":"1"}}'),
  json('constructor and prototype', '{"constructor":{"prototype":{"isAdmin":true}},"prototype":null}'),
  value('names of what objects have', { toString: 1, valueOf: 1, hasOwnProperty: 1, toJSON: 1, then: 1 }),
  value('fields of nulls', { question: null, id: null, kind: null, manifestRef: null, chainId: null }),
  value('fields of objects', { question: {}, id: {}, kind: {}, manifestRef: {}, run: {} }),
  value('fields of lists', { question: [], id: [], kind: [], manifestRef: [], run: [] }),
  value('a kind that is none', { kind: 'scheduled', question: 'Does it help?' }),
  value('unknown fields by the thousand', byTheThousand),
  value('a name of 100 kB', { ['n'.repeat(100_000)]: 1 }),
  value('a field of an object that is the one before', { reason: 'no', isEncrypted: true }),
  json('lists in lists in lists', nested(10_000)),
  json('objects in objects in objects', nestedObjects(10_000)),
  json('a known field without end', `{"question":${nested(10_000)},"id":${nested(10_000)}}`),
  json(
    'a wide tree',
    JSON.stringify(Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => [{}]))),
  ),
  json('the same field twice', '{"question":1,"question":2,"id":1,"id":2}'),
];

/** Bytes that are no value at all. */
const BYTES: readonly Rubbish[] = [
  json('no JSON', 'Does it help?'),
  json('half of JSON', '{"question":"Does it'),
  json('no bytes of JSON', ''),
  json('JSON with a mark of its byte order', '\ufeff{"question":"Does it help?"}'),
  json('no UTF-8', Uint8Array.from([0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22])),
  json('NaN', 'NaN'),
  { name: 'no metadata', payload: { data: bytes('{}') } },
  { name: 'nothing at all', payload: {} },
  { name: 'metadata without an encoding', payload: { metadata: { color: bytes('red') }, data: bytes('{}') } },
  encoded('an unknown encoding', 'json/fancy', bytes('{}')),
  encoded('an encoding of bytes', '\u0000\ud83d', bytes('{}')),
  encoded('plain bytes', 'binary/plain', Uint8Array.from([0, 1, 2, 255])),
  encoded('a null with bytes', 'binary/null', bytes('{}')),
  encoded('a message of an unknown type', 'binary/protobuf', bytes('{}'), { messageType: 'no.such.Type' }),
  encoded('a message of no type', 'json/protobuf', bytes('{"a":1}')),
  encoded('an encoding as long as a page', 'e'.repeat(5_000), bytes('{}')),
];

/** Each takes a good part of what the server lets pass at once. */
export const LARGE: readonly Rubbish[] = [
  value('a text of 1.5 MB', 't'.repeat(LARGE_CHARS)),
  json('a list of 300,000 nulls', `[${'null,'.repeat(300_000)}null]`),
  json(
    'an object of 100,000 fields',
    `{${Array.from({ length: 100_000 }, (_, at) => `"f${at}":0`).join(',')}}`,
  ),
  json('lists 700,000 deep', nested(700_000)),
];

/** Every kind of rubbish but those that are large; what is encrypted is apart, because a worker with the key may come. */
export const RUBBISH: readonly Rubbish[] = [...VALUES, ...BYTES];

/** Encrypted with a key that nobody has. */
export const ENCRYPTED: Rubbish = encoded(
  'encrypted with an unknown key',
  'binary/encrypted',
  bytes('x'.repeat(64)),
  {
    'encryption-cipher': 'AES/GCM',
    'encryption-key-id': 'no-such-key',
  },
);

/** As a client would send it. */
export const sent = (given: unknown): Payload => defaultPayloadConverter.toPayload(given);
