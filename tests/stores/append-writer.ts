import { until } from '../support/until';
import { openLmdbStores } from './open-lmdb-stores';

/**
 * Appends the keys `0` … `count - 1` to one run's log in an order of its own, as other processes do at the same time,
 * and prints the number that each key was given. It prints "ready" and waits for an event of the run `go` first, so that several
 * processes begin together. Arguments: data folder, count, a number prime to the count.
 */
const AT_ONCE = 16;
const [, , dataDir = '', count = '', stride = ''] = process.argv;

async function main(): Promise<void> {
  const stores = await openLmdbStores(dataDir);
  const keys = Array.from({ length: Number(count) }, (_, i) => String((i * Number(stride)) % Number(count)));

  async function lane(): Promise<void> {
    for (let key = keys.shift(); key !== undefined; key = keys.shift()) {
      const event = { type: 'warning', payload: { code: key, message: `from ${stride}` } } as const;
      process.stdout.write(`${JSON.stringify([key, await stores.events.appendOnce('run', key, event)])}\n`);
    }
  }

  process.stdout.write('"ready"\n');
  await until(async () => (await stores.events.read('go')).length > 0);
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  await stores.close();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
