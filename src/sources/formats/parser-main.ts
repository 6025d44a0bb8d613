import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FromParser } from './document-parser';
import { carryOut, type ParserTask } from './parser-tasks';

/** A longer list comes in parts: whoever reads a message does nothing else meanwhile. */
const PART_OF_LIST = 200;

/** The entry point of the process that parses: one task after the other, whose bytes it is given. It opens no file of them. */
function main(): void {
  const [memoryBytes, parent, givesWay, mostChars = 0] = process.argv.slice(2).map(Number);
  if (givesWay === 1) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const compiled = join(__dirname, 'watchdog.js');
  const built = existsSync(compiled);
  new Worker(built ? compiled : join(__dirname, 'watchdog.ts'), {
    workerData: { memoryBytes, parent },
    execArgv: built ? [] : ['--require', 'tsx/cjs'],
  });
  // A terminal and a service manager signal the parent's whole group; the parent tells when to end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit());
  let goOn = (): void => undefined;
  process.on('message', (message: ParserTask | 'next') => {
    if (message === 'next') goOn();
    else void answer(message, mostChars, () => new Promise((resolve) => (goOn = resolve)));
  });
  tell({ isReady: true });
}

/** Tells what comes of a task; of a list so much at a time as is asked for. */
async function answer(task: ParserTask, mostChars: number, untilAsked: () => Promise<void>): Promise<void> {
  const result = await carryOut(task, (part) => tell({ part }));
  if (charsOf(result) > mostChars) return tell({ tooManyChars: true });
  const isLong = Array.isArray(result) && result.length > PART_OF_LIST;
  for (let at = 0; isLong && at < result.length; at += PART_OF_LIST) {
    tell({ some: result.slice(at, at + PART_OF_LIST) });
    await untilAsked();
  }
  tell({ done: isLong ? null : result, memoryBytes: process.memoryUsage.rss() });
}

/** Characters of all texts in a value. A text that stands in it twice is sent twice, and counts twice. */
function charsOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let chars = 0;
  for (const one of Object.values(value)) chars += charsOf(one);
  return chars;
}

function tell(message: FromParser): void {
  process.send?.(message);
}

main();
