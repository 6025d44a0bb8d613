import { recordText } from './made-texts';
import { openLmdbStores } from './open-lmdb-stores';

/**
 * Writes content, events and responses as fast as the store takes them, and reports each one that was acknowledged as
 * a line on standard output, until it is killed. Arguments: data folder, name of this writer.
 */
const LANES = 24;
const [, , dataDir = '', writer = ''] = process.argv;

async function main(): Promise<void> {
  const stores = await openLmdbStores(dataDir);

  async function write(id: string, turn: number): Promise<unknown[]> {
    if (turn % 3 === 0) {
      const ref = await stores.content.store(`run-${writer}`, recordText(id));
      return ['content', id, ref];
    }
    if (turn % 3 === 1) {
      const event = { type: 'warning', payload: { code: writer, message: recordText(id) } } as const;
      return ['event', id, await stores.events.appendOnce('run-of-all', id, event)];
    }
    await stores.responses.put(`run-${writer}`, id, recordText(id), { ttlMs: 3_600_000 });
    return ['response', id];
  }

  async function lane(number: number): Promise<void> {
    for (let turn = 0; ; turn += 1) {
      const id = `${writer}/${number}/${turn}`;
      const acknowledged = await write(id, turn);
      process.stdout.write(`${JSON.stringify(acknowledged)}\n`);
      // Texts that others hold too are stored and cleared again and again: nobody else may lose them.
      if (number === 0 && turn % 12 === 0) {
        await stores.content.store(`brief-${writer}`, recordText(id));
        await stores.content.clearRun(`brief-${writer}`);
      }
    }
  }

  await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
