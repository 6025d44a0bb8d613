/** The same answer for some time, however often it is asked for; those who ask together wait for one. */
export function cached<Value>(find: () => Promise<Value>, keptMs: number): () => Promise<Value> {
  let found: Promise<Value> | null = null;
  let foundAt = 0;
  return () => {
    if (found === null || performance.now() - foundAt > keptMs) {
      found = find();
      foundAt = performance.now();
    }
    return found;
  };
}
