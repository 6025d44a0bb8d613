import { StoreAwayError, StoreWriteError } from '../errors';

/** Codes of answers with which a server says that it cannot, for now or until somebody mends it, and what they mean. */
const CANNOT: Readonly<Record<string, string>> = {
  READONLY: 'it is a replica now, and takes no writes',
  LOADING: 'it is loading its data',
  MASTERDOWN: 'it is a replica, and its primary is gone',
  TRYAGAIN: 'it is moving keys',
  CLUSTERDOWN: 'its cluster is down',
  MOVED: 'it is a node of a Redis Cluster, which is not supported',
  NOREPLICAS: 'it has too few replicas to take writes',
  BUSY: 'it is busy with a script',
  NOAUTH: 'it wants a password',
  WRONGPASS: 'it refuses the user or the password',
  NOPERM: 'its user may not do what is needed',
};

const FULL: Readonly<Record<string, [reason: string, advice: string]>> = {
  OOM: [
    'Redis has reached its maxmemory',
    'Give it more memory or delete runs; what waits for it goes on by itself.',
  ],
  MISCONF: [
    'Redis cannot write its data to disk, and takes no writes until it can',
    "Look at its log and its disk's free space; what waits for it goes on by itself.",
  ],
};

const NO_CONNECTION = [
  'Connection is closed',
  'Command timed out',
  'Command aborted',
  'Reached the max retries',
  'Socket timeout',
  "Stream isn't writeable",
];

/** A code of Redis stands first, or, where a script met it in Redis 6, within the message. */
function codeIn(message: string, codes: object): string | undefined {
  return Object.keys(codes).find((code) => new RegExp(`(?:^|[\\s-])${code}\\b`).test(message));
}

/** The error that a failed command is for those who asked; `lastError` is what the connection last failed with. */
export function asStoreError(where: string, error: unknown, lastError: Error | null): unknown {
  if (!(error instanceof Error)) return error;
  const { message } = error;
  const full = FULL[codeIn(message, FULL) ?? ''];
  if (full !== undefined) return new StoreWriteError(where, new Error(full[0], { cause: error }), full[1]);
  const cannot = CANNOT[codeIn(message, CANNOT) ?? ''];
  if (cannot !== undefined) return new StoreAwayError(where, cannot, { cause: error });
  if (NO_CONNECTION.some((start) => message.startsWith(start)) || 'syscall' in error)
    return new StoreAwayError(where, reasonOf(lastError ?? error), { cause: error });
  return error;
}

/** Why there is no connection, in words. Redis and ioredis never name a password in their messages. */
export function reasonOf(error: Error): string {
  const cannot = CANNOT[codeIn(error.message, CANNOT) ?? ''];
  if (cannot !== undefined) return cannot;
  const code = 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens there (ECONNREFUSED)';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `its name is not known (${code})`;
    case 'ETIMEDOUT':
      return 'it does not answer (ETIMEDOUT)';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return `its certificate is of nobody whom this machine trusts (${code}); NODE_EXTRA_CA_CERTS names a file of further authorities`;
    default:
      return error.message.replace(/\.$/, '');
  }
}
