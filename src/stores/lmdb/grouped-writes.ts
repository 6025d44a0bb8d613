/** So many share one flush at most, so that writers in other processes are spared. */
const MOST_AT_ONCE = 32;

/** Changes of the stores that are made together: what comes in one turn of the event loop is flushed to disk once. */
export interface GroupedWrites {
  /**
   * Makes the change after those that were given before, and resolves when it is on disk. Where it throws, nothing of it is
   * kept, and the others are made all the same.
   */
  write<Result>(change: () => Result): Promise<Result>;
  /** Makes now those that wait. */
  drain(): void;
}

interface Waiting {
  /** What it gives tells whoever waits that the change is on disk. */
  change: () => () => void;
  reject: (reason: unknown) => void;
}

type Transact = <Result>(change: () => Result) => Result;

export function groupWrites({
  transaction,
  part,
  asFailure,
}: {
  transaction: Transact;
  /** A part of a transaction, inside its callback, that is undone by itself where it throws. */
  part: Transact;
  /** What is thrown where a transaction fails by no fault of its change. */
  asFailure: (cause: unknown) => Error;
}): GroupedWrites {
  const waiting: Waiting[] = [];

  function drain(): void {
    while (waiting.length > 0) {
      const group = waiting.splice(0, MOST_AT_ONCE);
      try {
        for (const tell of makeTogether(group, { transaction, part })) tell();
      } catch (error) {
        for (const { reject } of group) reject(asFailure(error));
      }
    }
  }
  return {
    drain,
    write: (change) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(drain);
        const tellingChange = (): (() => void) => {
          const result = change();
          return () => resolve(result);
        };
        waiting.push({ change: tellingChange, reject });
      }),
  };
}

/** Gives what tells each how it fared; throws where the transaction itself failed, in which nothing of any is kept. */
function makeTogether(
  group: readonly Waiting[],
  { transaction, part }: { transaction: Transact; part: Transact },
): (() => void)[] {
  const thrown = new Set<unknown>();
  const attempt = ({ change }: Waiting): (() => void) => {
    try {
      return change();
    } catch (error) {
      thrown.add(error);
      throw error;
    }
  };
  const orRejected = ({ reject }: Waiting, make: () => () => void): (() => void) => {
    try {
      return make();
    } catch (error) {
      if (!thrown.has(error)) throw error;
      return () => reject(error);
    }
  };
  const [only, ...others] = group;
  if (only !== undefined && others.length === 0)
    return [orRejected(only, () => transaction(() => attempt(only)))];
  return transaction(() => group.map((waiting) => orRejected(waiting, () => part(() => attempt(waiting)))));
}
