import type { StoreAdapter, StoreSettings } from '../store-adapter';
import { openContentStore } from './content-store';
import { openDatabase, type StoreDatabase } from './database';
import { openDerivedStore } from './derived-store';
import { examineDatabase } from './examine-database';
import { prepareTables, tablesExist } from './tables';

/** Content and derived values in a PostgreSQL database, in a schema that it has for itself. */
export const postgresAdapter: StoreAdapter<'content' | 'derived'> = {
  async open({ postgres }) {
    return closedOnFailure(postgres, async (database) => {
      await prepareTables(database, postgres.schema);
      return {
        content: openContentStore(database),
        derived: openDerivedStore(database),
        examine: () => examineDatabase(database),
        close: () => database.close(),
      };
    });
  },
  async exist({ postgres }) {
    return closedOnFailure(postgres, async (database) => {
      const exist = await tablesExist(database, postgres.schema);
      await database.close();
      return exist;
    });
  },
};

async function closedOnFailure<Result>(
  settings: StoreSettings['postgres'],
  use: (database: StoreDatabase) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase(settings);
  try {
    return await use(database);
  } catch (error) {
    await database.close();
    throw error;
  }
}
