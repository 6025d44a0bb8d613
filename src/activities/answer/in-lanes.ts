/** Works on all items, so many at once; where one fails no other is begun, and what it threw is thrown once all have ended. */
export async function inLanes<Item>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const lane = async (): Promise<void> => {
    try {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
    } finally {
      // Empty already, unless the work has failed.
      waiting.length = 0;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
}
