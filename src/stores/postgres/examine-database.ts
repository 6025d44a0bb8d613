import type { StoreFinding } from '../stores';
import type { StoreDatabase } from './database';

/** The oldest version whose releases were still mended when this was written, less one. */
const OLDEST_VERSION = 13;

/** Whether the server takes writes, and keeps on its disk what it has said is kept. */
export async function examineDatabase(database: StoreDatabase): Promise<StoreFinding[]> {
  const [server] = await database.read<Record<string, string> & { standby: boolean }>(
    `SELECT current_setting('server_version_num')::integer / 10000 AS version, pg_is_in_recovery() AS standby,
       current_setting('transaction_read_only') AS "readOnly", current_setting('fsync') AS fsync,
       current_setting('full_page_writes') AS "fullPageWrites",
       current_setting('synchronous_commit') AS "synchronousCommit"`,
  );
  const found: StoreFinding[] = [];
  const say = (level: StoreFinding['level'], isSo: boolean, message: string): void => {
    if (isSo) found.push({ level, message: `${database.where}: ${message}` });
  };
  say(
    'error',
    Number(server?.['version']) < OLDEST_VERSION,
    `version ${server?.['version']} is too old. Use PostgreSQL ${OLDEST_VERSION} or newer.`,
  );
  say(
    'error',
    server?.standby === true,
    'it is a standby, which takes no writes. Name the primary in COLLIGATE_POSTGRES_URL.',
  );
  say(
    'error',
    server?.standby === false && server['readOnly'] === 'on',
    'it is set to read only. Turn default_transaction_read_only off for its user or database.',
  );
  say(
    'warning',
    server?.['fsync'] === 'off' || server?.['fullPageWrites'] === 'off',
    'fsync or full_page_writes is off: a crash of its machine may damage the database. Turn them on.',
  );
  say(
    'warning',
    server?.['synchronousCommit'] === 'off',
    'synchronous_commit is off: a crash loses texts that runs rely on. Turn it on.',
  );
  return found;
}
