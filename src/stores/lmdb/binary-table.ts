/** A range of keys, in their order; all of them where it has no bounds. */
export interface KeyRange {
  start?: string;
  end?: string;
  limit?: number | undefined;
}

/** What is used of a table of bytes. */
export interface BinaryTable {
  get(key: string): Buffer | undefined;
  doesExist(key: string): boolean;
  getRange(range?: KeyRange): Iterable<{ key: string; value: Buffer }>;
  getKeys(range?: KeyRange): Iterable<string>;
  put(key: string, value: Buffer): Promise<boolean>;
  remove(key: string): Promise<boolean>;
}

/** A table that was never made, where nothing can be written. */
export const NO_TABLE: BinaryTable = {
  get: () => undefined,
  doesExist: () => false,
  getRange: () => [],
  getKeys: () => [],
  put: () => Promise.resolve(false),
  remove: () => Promise.resolve(false),
};
