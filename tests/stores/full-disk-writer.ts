import { openLmdbStores } from './open-lmdb-stores';

/**
 * Stores texts until it may not write any more, then reports what was acknowledged, how the failure reads, and what
 * can still be read. Argument: data folder. It is started with a limit on the size of files.
 */
const AT_ONCE = 8;
const [, , dataDir = ''] = process.argv;

function textOf(number: number): string {
  // Not compressible, so that the limit is soon reached.
  let state = number + 1;
  return Array.from({ length: 20_000 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return String.fromCharCode(0x4e00 + ((state >> 8) % 20_000));
  }).join('');
}

async function main(): Promise<void> {
  const unhandled: string[] = [];
  process.on('unhandledRejection', (reason) => unhandled.push(String(reason)));
  const stores = await openLmdbStores(dataDir);
  const acknowledged: string[] = [];
  const failures: string[] = [];
  for (let number = 0; failures.length === 0 && number < 1_000; number += AT_ONCE) {
    const stored = await Promise.allSettled(
      Array.from({ length: AT_ONCE }, (_, i) => stores.content.store('run', textOf(number + i))),
    );
    for (const result of stored) {
      if (result.status === 'fulfilled') acknowledged.push(result.value);
      else failures.push(String(result.reason));
    }
  }
  const readable = (await stores.content.retrieveBatch(acknowledged)).size;
  await stores.close();
  process.stdout.write(
    `${JSON.stringify({ acknowledged: acknowledged.length, readable, failure: failures[0], unhandled })}\n`,
  );
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
