import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { PayloadKeyError } from '../../client/client-errors';
import { type Config, type EncryptionKey, readEncryptionKeys } from '../config';

const CIPHER = 'aes-256-gcm';

const CIPHER_NAME = 'AES/GCM';

const ENCODING = 'binary/encrypted';

const NONCE_BYTES = 12;

const TAG_BYTES = 16;

/** With keys it encrypts payloads and failures. Without keys it rejects encrypted payloads and names the missing key. */
export function dataConverter(config: Pick<Config, 'encryption'>): DataConverter {
  const failureConverterPath = require.resolve('./encoding-failure-converter');
  return {
    payloadCodecs: [payloadCodec(config)],
    ...(config.encryption.keys === null ? {} : { failureConverterPath }),
  };
}

/** As `dataConverter`, but keeps payloads of workflows that no key decrypts. */
export function workerDataConverter(config: Pick<Config, 'encryption'>): DataConverter {
  return { ...dataConverter(config), payloadCodecs: [keepUndecryptable(payloadCodec(config))] };
}

export function payloadCodec({ encryption }: Pick<Config, 'encryption'>): PayloadCodec {
  const keys = encryption.keys === null ? [] : readEncryptionKeys(encryption.keys.reveal());
  if ('wrong' in keys) throw new Error(`The encryption keys were not checked: ${keys.wrong}.`);
  return createEncryptionCodec(keys);
}

/**
 * Encrypts with the first key and decrypts with the key that the payload names. Unencrypted payloads pass through.
 * Encrypted data are a nonce, the ciphertext and a tag, as in Temporal's samples; metadata are authenticated.
 */
function createEncryptionCodec(keys: readonly EncryptionKey[]): PayloadCodec {
  const byId = new Map(keys.map(({ id, key }) => [id, Buffer.from(key.reveal(), 'base64')]));
  const [first] = byId;
  return {
    encode: async (payloads) =>
      first === undefined
        ? payloads
        : payloads.map((payload) => encrypt(payload, { id: first[0], key: first[1] })),
    decode: async (payloads) =>
      payloads.map((payload) => (isEncrypted(payload) ? decrypt(payload, byId) : payload)),
  };
}

/**
 * Keeps a workflow payload that no key decrypts: an error in the codec would fail the workflow task for ever. The
 * workflow rejects the payload.
 */
function keepUndecryptable(codec: PayloadCodec): PayloadCodec {
  return {
    encode: (payloads, context) => codec.encode(payloads, context),
    async decode(payloads, context) {
      if (context?.type !== 'workflow') return codec.decode(payloads, context);
      const opened = payloads.map((payload) =>
        codec.decode([payload], context).catch((error: unknown) => {
          if (error instanceof PayloadKeyError) return [payload];
          throw error;
        }),
      );
      return (await Promise.all(opened)).flat();
    },
  };
}

function isEncrypted({ metadata }: Payload): boolean {
  return textIn(metadata, 'encoding') === ENCODING;
}

function encrypt(payload: Payload, { id, key }: { id: string; key: Buffer }): Payload {
  // Already encrypted: a forwarded failure, or a second call of the codec server.
  if (isEncrypted(payload)) return payload;
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  cipher.setAAD(authenticatedData(id));
  const plain = temporal.api.common.v1.Payload.encode(payload).finish();
  const data = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  const metadata = { encoding: ENCODING, 'encryption-cipher': CIPHER_NAME, 'encryption-key-id': id };
  return {
    metadata: Object.fromEntries(Object.entries(metadata).map(([name, text]) => [name, Buffer.from(text)])),
    data,
  };
}

function decrypt({ metadata, data }: Payload, keys: ReadonlyMap<string, Buffer>): Payload {
  const id = textIn(metadata, 'encryption-key-id');
  const key = keys.get(id);
  if (key === undefined) {
    const none = keys.size === 0 ? 'and no encryption keys are set here' : 'which is not among the keys here';
    throw new PayloadKeyError(
      sanitiseId(id),
      `${none}. Add it, behind the key that encrypts, to COLLIGATE_ENCRYPTION_KEYS or to the key file, and start again.`,
    );
  }
  try {
    const bytes = Buffer.from(data ?? []);
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(authenticatedData(id));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const plain = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    return temporal.api.common.v1.Payload.decode(plain);
  } catch {
    throw new PayloadKeyError(
      id,
      'and is not opened by the key of that id here. Either the payload was changed, or another key has the same id: give this process the key that was used.',
    );
  }
}

function authenticatedData(id: string): Buffer {
  return Buffer.from(JSON.stringify([ENCODING, CIPHER_NAME, id]));
}

function textIn(metadata: Payload['metadata'], name: string): string {
  const value = metadata?.[name];
  return value === undefined ? '' : Buffer.from(value).toString('utf8');
}

function sanitiseId(id: string): string {
  return id.replace(/[^\w.-]/g, '?').slice(0, 64);
}
