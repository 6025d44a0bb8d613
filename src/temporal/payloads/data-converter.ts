import type { DataConverter, PayloadCodec } from '@temporalio/common';
import type { Config } from '../../config/config';
import { readEncryptionKeys } from '../../config/encryption-keys';
import { createEncryptionCodec, leavingUnopened } from './encryption-codec';

/**
 * How every client and worker of this configuration writes and reads payloads. With keys they are encrypted, and the messages
 * and stacks of failures with them; without, encrypted ones are refused in words that say which key is missing.
 */
export function dataConverter(config: Pick<Config, 'encryption'>): DataConverter {
  const failureConverterPath = require.resolve('./encoding-failure-converter');
  return {
    payloadCodecs: [payloadCodec(config)],
    ...(config.encryption.keys === null ? {} : { failureConverterPath }),
  };
}

/** The same for a worker: what was sent to a workflow and cannot be opened is left to it. */
export function workerDataConverter(config: Pick<Config, 'encryption'>): DataConverter {
  return { ...dataConverter(config), payloadCodecs: [leavingUnopened(payloadCodec(config))] };
}

export function payloadCodec({ encryption }: Pick<Config, 'encryption'>): PayloadCodec {
  const keys = encryption.keys === null ? [] : readEncryptionKeys(encryption.keys.reveal());
  if ('wrong' in keys) throw new Error(`The encryption keys were not checked: ${keys.wrong}.`);
  return createEncryptionCodec(keys);
}
