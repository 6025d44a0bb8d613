import { Pool, type PoolClient, type QueryResultRow } from 'pg';
import { errorCode } from '../../platform/error-code';
import type { Secret } from '../../platform/secret';
import { StoreClosedError } from '../errors/store-closed-error';
import { StoreOpenError } from '../errors/store-open-error';
import { DatabaseOpenError, DatabaseWriteError } from './database-errors';

const MAX_CONNECTIONS = 10;
/** Connecting, and waiting for one of the connections. */
const CONNECT_MS = 30_000;
/** A server that went away without a word must not hold an activity for ever. */
const QUERY_MS = 120_000;

/** Another transaction was in the way: serialization, deadlock, and what was held a moment ago is gone. */
const TRY_AGAIN = ['40001', '40P01', '23503'];
const MAX_TRIES = 20;

export type Row = QueryResultRow;
/** Asks the database; the type of rows is what the statement says it gives. */
export type Ask = <Result extends Row = Row>(statement: string, values?: unknown[]) => Promise<Result[]>;

/** The database with the schema in which the stores lie. */
export interface StoreDatabase {
  /** How messages name it. */
  readonly where: string;
  /** A table of the schema, quoted. */
  table(name: string): string;
  /** One statement, which sees all that was committed before. Rejects with `StoreOpenError` where it fails. */
  read: Ask;
  /**
   * Runs `change` in one transaction and resolves when it is on the server's disk. It is run again where another
   * transaction was in the way. Rejects with `StoreWriteError`; nothing is kept then.
   */
  write<Result>(change: (ask: Ask) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Connects to nothing yet. */
export function openDatabase(settings: { url: Secret | null; schema: string }): StoreDatabase {
  if (settings.url === null)
    throw new StoreOpenError('PostgreSQL', new Error('COLLIGATE_POSTGRES_URL is not set'));
  const connectionString = settings.url.reveal();
  const where = addressIn(connectionString, settings.schema);
  const pool = new Pool({
    connectionString,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    keepAlive: true,
    application_name: 'colligate',
  });
  // An idle connection that breaks is replaced when the next is needed.
  pool.on('error', () => undefined);
  let closed: Promise<void> | undefined;

  async function withConnection<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    if (closed !== undefined) throw new StoreClosedError(where);
    const client = await pool.connect();
    // A connection that breaks between two statements says so to nobody else; the next statement fails.
    const onError = (): void => undefined;
    client.on('error', onError);
    let failed = true;
    try {
      const result = await work(client);
      failed = false;
      return result;
    } finally {
      client.off('error', onError);
      // After a failure nobody knows what state it is in, or whether the server behind it still takes writes.
      client.release(failed);
    }
  }

  async function attempt<Result>(change: (ask: Ask) => Promise<Result>): Promise<Result> {
    return withConnection(async (client) => {
      await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
      const result = await change(askOn(client));
      await client.query('COMMIT');
      return result;
    });
  }

  return {
    where,
    table: (name) => `"${settings.schema}".${name}`,
    async read(statement, values) {
      try {
        return await withConnection((client) => askOn(client)(statement, values));
      } catch (error) {
        throw error instanceof StoreClosedError ? error : new DatabaseOpenError(where, error);
      }
    },
    async write(change) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await attempt(change);
        } catch (error) {
          if (error instanceof StoreClosedError) throw error;
          if (tries === MAX_TRIES || !TRY_AGAIN.includes(errorCode(error) ?? ''))
            throw new DatabaseWriteError(where, error);
        }
      }
    },
    close() {
      closed ??= pool.end();
      return closed;
    },
  };
}

function askOn(client: PoolClient): Ask {
  return async <Result extends Row>(statement: string, values: unknown[] = []) =>
    (await client.query<Result>(statement, values)).rows;
}

/** Host, port, database and schema, without user and password. */
function addressIn(connectionString: string, schema: string): string {
  const { hostname, port, pathname, searchParams } = new URL(connectionString);
  const host = searchParams.get('host') ?? (hostname === '' ? 'localhost' : hostname);
  return `PostgreSQL at ${host}:${port === '' ? '5432' : port}${pathname}, schema ${schema}`;
}
