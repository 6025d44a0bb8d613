import { StoreFormatError } from '../errors/store-format-error';
import type { StoreDatabase } from './database';

/** Raised with every change to the tables that older versions would misread. */
const STORE_FORMAT = 1;

/** Any number that stands for making the tables, the same in every process. */
const MAKING = 7_261_402_886;

/**
 * Makes the tables where there are none, and refuses those of another format before anything in them is touched. What is
 * there already needs no right to make it.
 */
export async function prepareTables(database: StoreDatabase, schema: string): Promise<void> {
  if (!(await tablesExist(database, schema))) await makeTables(database, schema);
  const [about] = await database.read<{ format: number }>(`SELECT format FROM ${database.table('about')}`);
  if (about?.format !== STORE_FORMAT)
    throw new StoreFormatError(database.where, about?.format ?? null, STORE_FORMAT);
}

export async function tablesExist(database: StoreDatabase, schema: string): Promise<boolean> {
  const found = await database.read(
    `SELECT 1 FROM information_schema.tables WHERE table_schema = $1 AND table_name = 'about'`,
    [schema],
  );
  return found.length > 0;
}

async function makeTables(database: StoreDatabase, schema: string): Promise<void> {
  const existing = await database.read('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  await database.write(async (ask) => {
    // Two who make the same schema at once are in each other's way, IF NOT EXISTS or not.
    await ask('SELECT pg_advisory_xact_lock($1)', [MAKING]);
    if (existing.length === 0) await ask(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
    await ask(`CREATE TABLE IF NOT EXISTS ${database.table('about')} (format integer NOT NULL)`);
    await ask(
      `INSERT INTO ${database.table('about')} (format)
       SELECT $1 WHERE NOT EXISTS (SELECT 1 FROM ${database.table('about')})`,
      [STORE_FORMAT],
    );
    for (const name of ['artifacts', 'derived']) {
      await ask(
        `CREATE TABLE IF NOT EXISTS ${database.table(name)} (
           item text COLLATE "C" PRIMARY KEY,
           value bytea NOT NULL,
           size integer NOT NULL)`,
      );
      // Values are compressed already where that is of use: PostgreSQL need not try.
      await ask(`ALTER TABLE ${database.table(name)} ALTER value SET STORAGE EXTERNAL`);
      // A run's id may hold any character, which text may not.
      await ask(
        `CREATE TABLE IF NOT EXISTS ${database.table(`${name}_runs`)} (
           run bytea NOT NULL,
           item text COLLATE "C" NOT NULL REFERENCES ${database.table(name)},
           PRIMARY KEY (run, item))`,
      );
      await ask(
        `CREATE INDEX IF NOT EXISTS ${name}_runs_by_item ON ${database.table(`${name}_runs`)} (item)`,
      );
      await ask(
        `CREATE TABLE IF NOT EXISTS ${database.table(`${name}_totals`)} (
           slot integer PRIMARY KEY, items bigint NOT NULL, size bigint NOT NULL)`,
      );
    }
  });
}
