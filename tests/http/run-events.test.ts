import type { ColligateClient } from '../../src/client/colligate-client';
import type { RunEvent } from '../../src/contracts/event';
import { createRunFeeds, type RunFeeds } from '../../src/http/run-events';
import { coalesceCalls } from '../../src/http/server-context';

describe('feeds of runs', () => {
  /** A run's log that grows when the test says so, and how often it was opened and let go. */
  interface Log {
    client: Pick<ColligateClient, 'run'>;
    add(count: number): void;
    end(error?: Error): void;
    opened: number[];
    open: number;
  }

  function openLog(): Log {
    const events: RunEvent[] = [];
    const wakes = new Set<() => void>();
    let ended: { error?: Error | undefined } | null = null;
    const changed = (): void => {
      for (const wake of wakes) wake();
      wakes.clear();
    };
    const log: Log = {
      opened: [],
      open: 0,
      add(count) {
        for (const _ of Array.from({ length: count }))
          events.push({
            number: events.length + 1,
            at: '2026-01-01T00:00:00.000Z',
            key: `e${events.length}`,
            type: 'warning',
            payload: { code: 'x', message: 'm'.repeat(80) },
          } as unknown as RunEvent);
        changed();
      },
      end(error) {
        ended = { error };
        changed();
      },
      client: {
        run: () =>
          ({
            async *events({ after = 0, signal }: { after?: number; signal?: AbortSignal } = {}) {
              log.opened.push(after);
              log.open += 1;
              try {
                for (let next = after; signal?.aborted !== true;) {
                  const event = events[next];
                  if (event !== undefined) {
                    yield event;
                    next += 1;
                  } else if (ended !== null) {
                    if (ended.error !== undefined) throw ended.error;
                    return;
                  } else
                    await new Promise<void>((resolve) => {
                      wakes.add(resolve);
                      signal?.addEventListener('abort', () => resolve());
                    });
                }
              } finally {
                log.open -= 1;
              }
            },
          }) as unknown as ReturnType<ColligateClient['run']>,
      },
    };
    return log;
  }

  /** The numbers that a follower gets, until the end. */
  async function numbersOf(
    feeds: RunFeeds,
    after = 0,
    signal = new AbortController().signal,
  ): Promise<number[]> {
    const numbers: number[] = [];
    for await (const { number, bytes } of feeds.follow('run', after, signal)) {
      expect(bytes.toString().startsWith(`id: ${number}\nevent: warning\ndata: {`)).toBe(true);
      numbers.push(number);
    }
    return numbers;
  }

  const upTo = (last: number, from = 1): number[] =>
    Array.from({ length: last - from + 1 }, (_, at) => from + at);

  test('1,000 followers at different positions each get every event once, with one poll of the log', async () => {
    const log = openLog();
    const feeds = createRunFeeds(log.client);
    log.add(20);
    const places = upTo(999, 0).map((n) => n % 25);
    const following = places.map((after) => numbersOf(feeds, after));
    const first = feeds.follow('run', 0, new AbortController().signal)[Symbol.asyncIterator]();
    expect((await first.next()).value).toMatchObject({ number: 1 });
    log.add(10);
    const rest: number[] = [];
    while (rest.at(-1) !== 30) rest.push(((await first.next()).value as { number: number }).number);
    log.end();
    expect(await first.next()).toEqual({ done: true, value: undefined });
    expect(rest).toEqual(upTo(30, 2));
    expect(await Promise.all(following)).toEqual(places.map((after) => upTo(30, after + 1)));
    expect(log.opened).toEqual([0]);
    expect(log.open).toBe(0);
  });

  test('a late follower reads from the log until it has caught up, without delaying others', async () => {
    const log = openLog();
    const feeds = createRunFeeds(log.client, 1_000);
    const slow = feeds.follow('run', 0, new AbortController().signal)[Symbol.asyncIterator]();
    log.add(1);
    const got = [(await slow.next()).value as { number: number }];
    const quick = numbersOf(feeds);
    log.add(50);
    const watch = feeds.follow('run', 50, new AbortController().signal)[Symbol.asyncIterator]();
    expect((await watch.next()).value).toMatchObject({ number: 51 });
    expect(log.opened).toEqual([0]);
    for (let next = await slow.next(); ; next = await slow.next()) {
      got.push(next.value as { number: number });
      if (got.at(-1)?.number === 51) break;
    }
    expect(log.opened).toEqual([0, 1]);
    expect(log.open).toBe(1);
    log.end();
    expect((await slow.next()).done).toBe(true);
    expect(got.map(({ number }) => number)).toEqual(upTo(51));
    expect(await quick).toEqual(upTo(51));
    expect((await watch.next()).done).toBe(true);
    expect(log.open).toBe(0);
  });

  test('polling stops with the last follower and starts again with the next', async () => {
    const log = openLog();
    const feeds = createRunFeeds(log.client);
    log.add(2);
    const leaving = [new AbortController(), new AbortController()];
    const left = leaving.map(({ signal }) => numbersOf(feeds, 0, signal));
    const third = new AbortController();
    const watch = feeds.follow('run', 1, third.signal)[Symbol.asyncIterator]();
    expect((await watch.next()).value).toMatchObject({ number: 2 });
    for (const one of leaving) one.abort();
    expect(await Promise.all(left)).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(log.open).toBe(1);
    third.abort();
    expect((await watch.next()).done).toBe(true);
    expect(log.opened).toEqual([0]);
    log.add(1);
    log.end();
    expect(await numbersOf(feeds, 2)).toEqual([3]);
    expect(log.opened).toEqual([0, 0]);
    expect(log.open).toBe(0);
  });

  test('an error of the log reaches every follower after the earlier events', async () => {
    const log = openLog();
    const feeds = createRunFeeds(log.client);
    log.add(3);
    const seen: number[] = [];
    const follow = async (): Promise<void> => {
      for await (const { number } of feeds.follow('run', 0, new AbortController().signal)) seen.push(number);
    };
    const following = [follow(), follow()];
    log.end(new Error('The store is away.'));
    for (const one of following) await expect(one).rejects.toThrow('The store is away.');
    expect(seen.sort()).toEqual([1, 1, 2, 2, 3, 3]);
  });
});

describe('shared polls', () => {
  /** Looks that end when the test says so, each of which sees its own number. */
  function slowLooks() {
    const looks: { id: string; end: (error?: Error) => void }[] = [];
    const look = coalesceCalls(
      (id: string) =>
        new Promise<number>((resolve, reject) => {
          const number = looks.length + 1;
          looks.push({ id, end: (error) => (error === undefined ? resolve(number) : reject(error)) });
        }),
    );
    return { looks, look };
  }

  test('callers during a poll share the next poll, which starts after it', async () => {
    const { looks, look } = slowLooks();
    const first = look('a');
    const behind = [look('a'), look('a')];
    expect(looks).toHaveLength(1);
    looks[0]?.end();
    expect(await first).toBe(1);
    expect(looks).toHaveLength(2);
    const last = look('a');
    looks[1]?.end();
    expect(await Promise.all(behind)).toEqual([2, 2]);
    looks[2]?.end();
    expect(await last).toBe(3);
  });

  test('polls of different keys run independently', async () => {
    const { looks, look } = slowLooks();
    void look('a');
    const other = look('b');
    expect(looks.map(({ id }) => id)).toEqual(['a', 'b']);
    looks[1]?.end();
    expect(await other).toBe(2);
  });

  test('a failed poll rejects its own callers only', async () => {
    const { looks, look } = slowLooks();
    const first = look('a');
    const behind = look('a');
    looks[0]?.end(new Error('away'));
    await expect(first).rejects.toThrow('away');
    looks[1]?.end();
    expect(await behind).toBe(2);
    const later = look('a');
    looks[2]?.end();
    expect(await later).toBe(3);
  });
});
