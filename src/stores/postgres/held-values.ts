import type { Ask, StoreDatabase } from './database';

/** How many holds end in one transaction, so that clearing a large run does not keep other writers waiting. */
const RELEASES_A_TRANSACTION = 500;

/** Totals are counted in so many rows, that writers do not wait for each other; whoever asks adds them up. */
const SLOTS = 32;

export interface SizedValue {
  value: Buffer;
  /** What totals add up; it stays that of the first value under its name. */
  size: number;
}

type SizedValues = ReadonlyMap<string, SizedValue>;

/**
 * Values under names, and the runs that hold them. Who stores or holds has the value locked until the end of its
 * transaction; who clears locks it against that, and only then looks whether anybody still holds it.
 */
export interface HeldValues {
  /** Has the run hold all `items`, and asks `make` for those that are not there, or not as `isWhole` would have them. */
  add(
    runId: string,
    items: readonly string[],
    given: {
      isWhole: (item: string, value: Buffer) => Promise<boolean>;
      make: (item: string) => Promise<SizedValue>;
    },
  ): Promise<void>;
  /** As `add`, but the given values stand in the place of what was there. */
  replace(runId: string, values: SizedValues): Promise<void>;
  has(item: string): Promise<boolean>;
  /** What is there of the items. */
  read(items: readonly string[]): Promise<Map<string, Buffer>>;
  /** Has the run hold what is there; resolves with that. */
  hold(runId: string, items: readonly string[]): Promise<Set<string>>;
  totals(): Promise<{ items: number; size: number }>;
  clearRun(runId: string): Promise<{ deleted: number; kept: number }>;
}

export function openHeldValues(database: StoreDatabase, name: 'artifacts' | 'derived'): HeldValues {
  const values = database.table(name);
  const runs = database.table(`${name}_runs`);
  const totals = database.table(`${name}_totals`);

  /** Which of the items are there, kept from being deleted until the end of the transaction. */
  async function lockPresent(ask: Ask, items: readonly string[]): Promise<Set<string>> {
    const statement = `SELECT item FROM ${values} WHERE item = ANY($1) ORDER BY item FOR KEY SHARE`;
    return new Set((await ask<{ item: string }>(statement, [items])).map(({ item }) => item));
  }

  /** Writes `made` in the place of what was there, and has the run hold all `items`. */
  async function write(ask: Ask, runId: string, items: readonly string[], made: SizedValues): Promise<void> {
    // In one order for all, so that two who insert the same do not lock each other out.
    const rows = [...made].sort(([a], [b]) => (a < b ? -1 : 1));
    const statement = `INSERT INTO ${values} (item, value, size)
       SELECT * FROM unnest($1::text[], $2::bytea[], $3::integer[]) ON CONFLICT (item)
       DO UPDATE SET value = EXCLUDED.value
       RETURNING size, xmax = 0 AS "isNew"`;
    const written = await ask<{ size: number; isNew: boolean }>(statement, [
      rows.map(([item]) => item),
      rows.map(([, { value }]) => value),
      rows.map(([, { size }]) => size),
    ]);
    await holdAll(ask, runId, items);
    await count(
      ask,
      1,
      written.filter(({ isNew }) => isNew),
    );
  }

  async function holdAll(ask: Ask, runId: string, items: readonly string[]): Promise<void> {
    await ask(
      `INSERT INTO ${runs} (run, item) SELECT $1, item FROM unnest($2::text[]) AS item ORDER BY item
       ON CONFLICT DO NOTHING`,
      [runName(runId), items],
    );
  }

  /** The last statement of a transaction: whoever has its row locked waits for nobody. */
  async function count(ask: Ask, sign: 1 | -1, changed: readonly { size: number }[]): Promise<void> {
    if (changed.length === 0) return;
    const size = changed.reduce((sum, row) => sum + row.size, 0);
    await ask(
      `INSERT INTO ${totals} AS t (slot, items, size) VALUES (pg_backend_pid() % ${SLOTS}, $1, $2)
       ON CONFLICT (slot) DO UPDATE SET items = t.items + EXCLUDED.items, size = t.size + EXCLUDED.size`,
      [sign * changed.length, sign * size],
    );
  }

  async function releasePart(runId: string, after: string): Promise<{ items: string[]; deleted: number }> {
    return database.write(async (ask) => {
      const held = await ask<{ item: string }>(
        `SELECT item FROM ${runs} WHERE run = $1 AND item > $2 ORDER BY item LIMIT ${RELEASES_A_TRANSACTION}`,
        [runName(runId), after],
      );
      const items = held.map(({ item }) => item);
      // Whoever is about to hold one of them ends first, or waits until it has gone and stores it anew.
      await ask(`SELECT 1 FROM ${values} WHERE item = ANY($1) ORDER BY item FOR UPDATE`, [items]);
      await ask(`DELETE FROM ${runs} WHERE run = $1 AND item = ANY($2)`, [runName(runId), items]);
      const gone = await ask<{ size: number }>(
        `DELETE FROM ${values} v WHERE item = ANY($1)
         AND NOT EXISTS (SELECT 1 FROM ${runs} r WHERE r.item = v.item) RETURNING size`,
        [items],
      );
      await count(ask, -1, gone);
      return { items, deleted: gone.length };
    });
  }

  async function read(items: readonly string[]): Promise<Map<string, Buffer>> {
    const statement = `SELECT item, value FROM ${values} WHERE item = ANY($1)`;
    const found = await database.read<{ item: string; value: Buffer }>(statement, [items]);
    return new Map(found.map(({ item, value }) => [item, value]));
  }

  return {
    async add(runId, items, { isWhole, make }) {
      const made = new Map<string, SizedValue>();
      // Before the transaction, in which others wait for what it has locked.
      const seen = await read(items);
      for (const item of items) {
        const value = seen.get(item);
        if (value === undefined || !(await isWhole(item, value))) made.set(item, await make(item));
      }
      await database.write(async (ask) => {
        // What was there before may have been cleared with another run since.
        const present = await lockPresent(ask, items);
        for (const item of items) if (!present.has(item) && !made.has(item)) made.set(item, await make(item));
        await write(ask, runId, items, made);
      });
    },
    async replace(runId, given) {
      await database.write((ask) => write(ask, runId, [...given.keys()], given));
    },
    async has(item) {
      return (await database.read(`SELECT 1 FROM ${values} WHERE item = $1`, [item])).length > 0;
    },
    read,
    async hold(runId, items) {
      return database.write(async (ask) => {
        const present = await lockPresent(ask, items);
        await holdAll(ask, runId, [...present]);
        return present;
      });
    },
    async totals() {
      const [sum] = await database.read<{ items: string; size: string }>(
        `SELECT coalesce(sum(items), 0) AS items, coalesce(sum(size), 0) AS size FROM ${totals}`,
      );
      return { items: Number(sum?.items ?? 0), size: Number(sum?.size ?? 0) };
    },
    async clearRun(runId) {
      const total = { deleted: 0, kept: 0 };
      let after = '';
      for (;;) {
        const { items, deleted } = await releasePart(runId, after);
        total.deleted += deleted;
        total.kept += items.length - deleted;
        // Going on behind the last one ends even while the same run stores more.
        after = items.at(-1) ?? after;
        if (items.length < RELEASES_A_TRANSACTION) return total;
      }
    },
  };
}

/** A run's id as bytes: it may hold any character. */
function runName(runId: string): Buffer {
  return Buffer.from(runId, 'utf8');
}
