import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { loadConfig } from '../../../src/config/config';
import { payloadCodec } from '../../../src/temporal/payloads/data-converter';
import { PayloadKeyError } from '../../../src/temporal/payloads/payload-key-error';

const OLD = `old:${Buffer.alloc(32, 1).toString('base64')}`;
const NEW = `new:${Buffer.alloc(32, 2).toString('base64')}`;
/** Another key under the same id. */
const FALSE = `old:${Buffer.alloc(32, 3).toString('base64')}`;

function codecOf(...keys: string[]): ReturnType<typeof payloadCodec> {
  const env = keys.length === 0 ? {} : { COLLIGATE_ENCRYPTION_KEYS: keys.join(',') };
  return payloadCodec(loadConfig({ cwd: '/', env }));
}

const payload = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);

async function throughOne(
  codec: ReturnType<typeof codecOf>,
  way: 'encode' | 'decode',
  given: Payload,
): Promise<Payload> {
  const [result] = await codec[way]([given]);
  if (result === undefined) throw new Error('one payload in, one out');
  return result;
}

function metadataOf({ metadata }: Payload): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString()]),
  );
}

it('hides a payload and says of it what is needed to open it', async () => {
  const codec = codecOf(OLD);
  const encrypted = await throughOne(codec, 'encode', payload({ question: 'a canary' }));
  expect(metadataOf(encrypted)).toEqual({
    encoding: 'binary/encrypted',
    'encryption-cipher': 'AES/GCM',
    'encryption-key-id': 'old',
  });
  expect(Buffer.from(encrypted.data ?? []).toString('latin1')).not.toContain('canary');
  const opened = await throughOne(codec, 'decode', encrypted);
  expect(defaultPayloadConverter.fromPayload(opened)).toEqual({ question: 'a canary' });
});

it('never makes the same of the same', async () => {
  const codec = codecOf(OLD);
  const [one, other] = await codec.encode([payload('again'), payload('again')]);
  expect(one?.data).not.toEqual(other?.data);
});

it('encrypts with the first key, and opens with all of them', async () => {
  const before = await throughOne(codecOf(OLD), 'encode', payload('before'));
  const rotated = codecOf(NEW, OLD);
  expect(defaultPayloadConverter.fromPayload(await throughOne(rotated, 'decode', before))).toBe('before');
  expect(metadataOf(await throughOne(rotated, 'encode', payload('after')))['encryption-key-id']).toBe('new');
});

it('leaves what is not encrypted as it is, and without keys encrypts nothing', async () => {
  const plain = payload('from before');
  expect(await throughOne(codecOf(OLD), 'decode', plain)).toEqual(plain);
  expect(await throughOne(codecOf(), 'encode', plain)).toEqual(plain);
});

it.each([
  ['with other keys', [NEW], 'not among the keys here'],
  ['without keys', [], 'no encryption keys are set here'],
  ['with another key under the id', [FALSE], 'another key has the same id'],
])('says which key is missing %s', async (_, keys, why) => {
  const encrypted = await throughOne(codecOf(OLD), 'encode', payload('lost'));
  const failure = codecOf(...keys).decode([encrypted]);
  await expect(failure).rejects.toThrow(PayloadKeyError);
  await expect(failure).rejects.toThrow(why);
  await expect(failure).rejects.toThrow('"old"');
});

it('refuses a payload whose text, tag or key id was exchanged', async () => {
  const twice = codecOf(OLD, `twin:${Buffer.alloc(32, 1).toString('base64')}`);
  const encrypted = await throughOne(twice, 'encode', payload('whole'));
  const data = Buffer.from(encrypted.data ?? []);
  const changed = [0, 12, data.length - 1].map((place) => {
    const bytes = Buffer.from(data);
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    return { ...encrypted, data: bytes };
  });
  const renamed = {
    ...encrypted,
    metadata: { ...encrypted.metadata, 'encryption-key-id': Buffer.from('twin') },
  };
  for (const bad of [
    ...changed,
    renamed,
    { ...encrypted, data: data.subarray(0, 20) },
    { ...encrypted, data: null },
  ])
    await expect(twice.decode([bad])).rejects.toThrow(PayloadKeyError);
});
