import type { z } from 'zod';
import { parsedJson } from '../../core/values/parsed-json';
import type { BinaryTable, KeyRange } from './binary-table';

/** A table of JSON values, each of which is looked at when it is read. Writes fare as the transaction does that they are in. */
export interface JsonTable<Value> {
  /** The value, undefined where there is none, `damaged` where there is something else. */
  get(key: string): Value | 'damaged' | undefined;
  getRange(range: KeyRange): { key: string; value: Value | 'damaged' }[];
  getKeys(range?: KeyRange): string[];
  doesExist(key: string): boolean;
  put(key: string, value: Value): void;
  remove(key: string): void;
}

/** Over a table of bytes, so that what is no JSON does not end a transaction. */
export function jsonTableOn<Value>(bytes: BinaryTable, schema: z.ZodType<Value>): JsonTable<Value> {
  const read = (found: Buffer): Value | 'damaged' => {
    const parsed = schema.safeParse(parsedJson(found.toString('utf8')));
    return parsed.success ? parsed.data : 'damaged';
  };
  return {
    get(key) {
      const found = bytes.get(key);
      return found === undefined ? undefined : read(found);
    },
    getRange: (range) => Array.from(bytes.getRange(range), ({ key, value }) => ({ key, value: read(value) })),
    getKeys: (range = {}) => Array.from(bytes.getKeys(range)),
    doesExist: (key) => bytes.doesExist(key),
    put(key, value) {
      void bytes.put(key, Buffer.from(JSON.stringify(value), 'utf8'));
    },
    remove(key) {
      void bytes.remove(key);
    },
  };
}
