import type { ResponseCache } from '../../../stores/response-cache';

type Answers = Pick<ResponseCache, 'get' | 'put'>;
type Unstored = Parameters<ResponseCache['put']>;

const AGAIN_MS = 1_000;
/** There are no more calls under way than this; without a bound a store that never comes back would fill the memory. */
const MOST_KEPT = 1_000;

/**
 * The same cache, which keeps in memory what the store could not take, and tries again until it does: a call that was paid
 * for is not made again because Redis was away or a disk was full. It is lost with its process alone.
 */
export function keepingUnstored(cache: Answers): Answers {
  const unstored = new Map<string, Unstored>();
  let timer: NodeJS.Timeout | null = null;

  async function put(...given: Unstored): Promise<void> {
    const [, key] = given;
    try {
      await cache.put(...given);
      unstored.delete(key);
    } catch (error) {
      if (error instanceof Error && error.name === 'StoreClosedError') unstored.clear();
      else keep(key, given);
      throw error;
    }
  }

  function keep(key: string, given: Unstored): void {
    unstored.set(key, given);
    const [oldest] = unstored.keys();
    if (unstored.size > MOST_KEPT && oldest !== undefined) unstored.delete(oldest);
    timer ??= setTimeout(() => void tryAgain(), AGAIN_MS).unref();
  }

  async function tryAgain(): Promise<void> {
    // Those that fail are kept by `put`, and whoever asks for them is told why.
    await Promise.allSettled([...unstored.values()].map((given) => put(...given)));
    timer = unstored.size === 0 ? null : setTimeout(() => void tryAgain(), AGAIN_MS).unref();
  }

  return {
    put,
    async get(runId, key) {
      const kept = unstored.get(key);
      if (kept !== undefined) await put(...kept);
      return cache.get(runId, key);
    },
  };
}
