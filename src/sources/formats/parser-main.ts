import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ParserMessage } from './document-parser';
import { type ParserTask, runParserTask } from './parser-tasks';

/** Receiving a large message blocks the parent. */
const LIST_PART_SIZE = 200;

/** Entry point of the parser process. It reads no files. */
function main(): void {
  const [memoryBytes, parent, givesWay, mostChars = 0] = process.argv.slice(2).map(Number);
  if (givesWay === 1) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const compiled = join(__dirname, 'watchdog.js');
  const built = existsSync(compiled);
  new Worker(built ? compiled : join(__dirname, 'watchdog.ts'), {
    workerData: { memoryBytes, parent },
    execArgv: built ? [] : ['--require', 'tsx/cjs'],
  });
  // Terminals signal the whole process group; the parent decides when to end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit());
  let goOn = (): void => undefined;
  process.on('message', (message: ParserTask | 'next') => {
    if (message === 'next') goOn();
    else void runTask(message, mostChars, () => new Promise((resolve) => (goOn = resolve)));
  });
  sendMessage({ isReady: true });
}

async function runTask(task: ParserTask, mostChars: number, untilAsked: () => Promise<void>): Promise<void> {
  const result = await runParserTask(task, (part) => sendMessage({ part }));
  if (countChars(result) > mostChars) return sendMessage({ tooManyChars: true });
  const isLong = Array.isArray(result) && result.length > LIST_PART_SIZE;
  for (let at = 0; isLong && at < result.length; at += LIST_PART_SIZE) {
    sendMessage({ some: result.slice(at, at + LIST_PART_SIZE) });
    await untilAsked();
  }
  sendMessage({ done: isLong ? null : result, memoryBytes: process.memoryUsage.rss() });
}

/** Shared strings count every time, because they are sent every time. */
function countChars(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let chars = 0;
  for (const one of Object.values(value)) chars += countChars(one);
  return chars;
}

function sendMessage(message: ParserMessage): void {
  process.send?.(message);
}

main();
