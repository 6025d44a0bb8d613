import { readFileSync, writeFileSync } from 'node:fs';
import { temporal } from '@temporalio/proto';

const { History } = temporal.api.history.v1;
export type History = temporal.api.history.v1.IHistory;

/** How a worker names itself, and the queue that is its own: `pid@host`. */
const PROCESS = /^\d+@.+$/;

/**
 * Writes a history as JSON in the words of the protocol, without what tells of the machine: process and host names, and
 * paths in stack traces. (The SDK's own `historyToJSON` fails where npm has installed protobufjs more than once.)
 */
export function writeHistory(file: string, history: History): void {
  const plain = History.toObject(History.fromObject(history), {
    bytes: String,
    longs: String,
    enums: String,
  });
  const text = JSON.stringify(
    plain,
    (key, value: unknown) => {
      if (key === 'stackTrace') return '';
      return typeof value === 'string' ? value.replace(PROCESS, 'worker') : value;
    },
    1,
  );
  writeFileSync(file, `${text}\n`);
}

export function readHistory(file: string): temporal.api.history.v1.History {
  const plain: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return History.fromObject(plain as Record<string, unknown>); // `writeHistory` wrote an object
}
