/** Values by name, the last used of them, as many as fit. Who gets one must not change it: others have the same. */
export interface KeptValues<Value> {
  get(name: string): Promise<Value> | undefined;
  /** Keeps what is being made; what fails, and what has no size, is made anew by the next who asks for it. */
  put(name: string, made: Promise<Value>, charsOf: (value: Value) => number | null): void;
}

interface Kept<Value> {
  made: Promise<Value>;
  /** 0 while it is being made. */
  chars: number;
}

/** Keeps up to `mostChars` UTF-16 units of the texts that values are or were read from, and the last value whatever its size. */
export function keepValues<Value>(mostChars: number): KeptValues<Value> {
  /** In the order of their last use. */
  const kept = new Map<string, Kept<Value>>();
  let chars = 0;

  const drop = (name: string, entry: Kept<Value>): void => {
    if (kept.get(name) !== entry) return;
    kept.delete(name);
    chars -= entry.chars;
  };
  const grow = (name: string, entry: Kept<Value>, size: number): void => {
    if (kept.get(name) !== entry) return;
    entry.chars = size;
    chars += size;
    for (const [other, oldest] of kept) {
      if (chars <= mostChars) return;
      if (oldest !== entry) drop(other, oldest);
    }
  };
  return {
    get(name) {
      const entry = kept.get(name);
      if (entry === undefined) return undefined;
      kept.delete(name);
      kept.set(name, entry);
      return entry.made;
    },
    put(name, made, charsOf) {
      const entry: Kept<Value> = { made, chars: 0 };
      const former = kept.get(name);
      if (former !== undefined) drop(name, former);
      kept.set(name, entry);
      made.then(
        (value) => {
          const size = charsOf(value);
          if (size === null) drop(name, entry);
          else grow(name, entry, size);
        },
        () => drop(name, entry),
      );
    },
  };
}
