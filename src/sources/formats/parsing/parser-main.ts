import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { parseFormat } from './parse-format';
import type { FromParser, ToParser } from './parser-process';

/** The entry point of the process that parses: one document after the other, whose bytes it is given. It opens no file of them. */
function main(): void {
  const [memoryBytes, parent] = process.argv.slice(2).map(Number);
  const compiled = join(__dirname, 'watchdog.js');
  const built = existsSync(compiled);
  new Worker(built ? compiled : join(__dirname, 'watchdog.ts'), {
    workerData: { memoryBytes, parent },
    execArgv: built ? [] : ['--require', 'tsx/cjs'],
  });
  // A terminal and a service manager signal the parent's whole group; the parent tells when to end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit());
  process.on('message', ({ format, bytes }: ToParser) => {
    void parseFormat(format, bytes, (part) => tell({ part })).then((parsed) =>
      tell({ parsed, memoryBytes: process.memoryUsage.rss() }),
    );
  });
  tell({ isReady: true });
}

function tell(message: FromParser): void {
  process.send?.(message);
}

main();
