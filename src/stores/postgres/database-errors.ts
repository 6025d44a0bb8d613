import { errorCode } from '../../platform/error-code';
import { errorMessage } from '../../platform/error-message';
import { StoreOpenError } from '../errors/store-open-error';
import { StoreWriteError } from '../errors/store-write-error';

interface Explanation {
  problem: string;
  advice: string;
}

/** By the codes of Node, and of PostgreSQL (Appendix A of its manual). */
const EXPLAINED: Readonly<Record<string, Explanation>> = {
  ECONNREFUSED: {
    problem: 'nothing answers at that address',
    advice: 'Start the server, or correct COLLIGATE_POSTGRES_URL.',
  },
  ENOTFOUND: {
    problem: 'the name of the host is not known',
    advice: 'Correct the host in COLLIGATE_POSTGRES_URL.',
  },
  EAI_AGAIN: { problem: 'the name of the host could not be looked up', advice: 'Check the name server.' },
  ETIMEDOUT: { problem: 'there was no answer in time', advice: 'Check the network and the server.' },
  ECONNRESET: { problem: 'the connection broke off', advice: 'Check the server and the network.' },
  '28P01': {
    problem: 'the password was refused, or there is no such user',
    advice: 'Correct the user and the password in COLLIGATE_POSTGRES_URL.',
  },
  '28000': {
    problem: 'the user may not connect',
    advice: 'Correct the user in COLLIGATE_POSTGRES_URL, or let it in (pg_hba.conf of the server).',
  },
  '3D000': {
    problem: 'there is no such database',
    advice: 'Make it with `createdb`, or correct the name in COLLIGATE_POSTGRES_URL.',
  },
  '25006': {
    problem: 'the server only reads: it is a standby, or set to read only',
    advice: 'Name the primary in COLLIGATE_POSTGRES_URL.',
  },
  '53100': { problem: 'the disk of the server is full', advice: 'Make room on it.' },
  '53300': {
    problem: 'all connections of the server are taken',
    advice: 'Raise its max_connections, or run fewer workers.',
  },
  '57P01': { problem: 'the server is going down', advice: 'It is waited for.' },
  '57P03': { problem: 'the server is starting or stopping', advice: 'It is waited for.' },
};

/** What pg says in words alone. */
const SAID: readonly { part: string; code: string }[] = [
  { part: 'timeout', code: 'ETIMEDOUT' },
  { part: 'Connection terminated', code: 'ECONNRESET' },
  { part: 'client password must be', code: '28P01' },
];

/** The database could not be opened or read; nothing that it was told of the password is in its message. */
export class DatabaseOpenError extends StoreOpenError {
  constructor(where: string, cause: unknown) {
    super(where, cause);
    const { problem, advice } = explained(cause);
    this.message = `The store in ${where} cannot be used: ${problem}. ${advice}`;
  }
}

/** A transaction failed in the database. */
export class DatabaseWriteError extends StoreWriteError {
  constructor(where: string, cause: unknown) {
    super(where, cause);
    const { problem, advice } = explained(cause);
    this.message = `The store in ${where} could not be written: ${problem}. Nothing of this write was kept. ${advice}`;
  }
}

function explained(error: unknown): Explanation {
  const message = errorMessage(error);
  const code = errorCode(error) ?? SAID.find(({ part }) => message.includes(part))?.code;
  const known = code === undefined ? undefined : EXPLAINED[code];
  return known ?? { problem: message, advice: 'Check the server and its log.' };
}
