import type { RunEvent } from '../../contracts/run/event';
import type { ColligateClient } from '../../client/colligate-client';

/** So much of a run's newest events is at hand for all its followers; whoever is further behind reads the log for themselves. */
const KEPT_BYTES = 1024 * 1024;

/** An event as it goes over the wire. Its bytes are the same ones for all followers, whether they read them now or later. */
export interface Frame {
  number: number;
  bytes: Buffer;
}

export interface RunFeeds {
  /** The events above `after` as they come; ends and rejects as those of the client do, and ends on abort. */
  follow(runId: string, after: number, signal: AbortSignal): AsyncIterable<Frame>;
}

/** Follows each run once, however many follow it: from when the first comes until the last has left. */
export function createRunFeeds(client: Pick<ColligateClient, 'run'>, keptBytes = KEPT_BYTES): RunFeeds {
  const feeds = new Map<string, Feed>();

  function feedOf(runId: string): Feed {
    const open = feeds.get(runId);
    if (open !== undefined) return open;
    const feed = openFeed((signal) => client.run(runId).events({ signal }), {
      keptBytes,
      onEnd: () => feeds.delete(runId),
    });
    feeds.set(runId, feed);
    return feed;
  }

  return {
    async *follow(runId, after, signal) {
      const feed = feedOf(runId);
      const leave = feed.join();
      let last = after;
      try {
        while (!signal.aborted) {
          const next = feed.behind(last);
          if (next === 'end') return;
          if (next === 'wait') await feed.more(signal);
          else if (next === 'gone') {
            // Ends with the log, and as soon as what comes next is at hand.
            let isAtHand = false;
            for await (const event of client.run(runId).events({ after: last, signal })) {
              yield frameOf(event);
              last = event.number;
              isAtHand = feed.behind(last) !== 'gone';
              if (isAtHand) break;
            }
            if (!isAtHand) return;
          } else {
            yield next;
            last = next.number;
          }
        }
      } finally {
        leave();
      }
    },
  };
}

/** The events of one run, read once, and from the first: followers that come back from a restart stand at many places. */
interface Feed {
  /** Gives what to call at the end of it. */
  join(): () => void;
  /** What comes behind an event; `gone` where that is not at hand any more. Throws what the log failed with, once all is read. */
  behind(number: number): Frame | 'wait' | 'gone' | 'end';
  /** Resolves when there may be more, and on abort. */
  more(signal: AbortSignal): Promise<void>;
}

function openFeed(
  read: (signal: AbortSignal) => AsyncIterable<RunEvent>,
  { keptBytes, onEnd }: { keptBytes: number; onEnd: () => void },
): Feed {
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  const left = new AbortController();
  let bytes = 0;
  let newest = 0;
  let followers = 0;
  let ended: { error?: unknown } | null = null;

  function wakeAll(): void {
    for (const wake of waiting) wake();
  }

  function keep(frame: Frame): void {
    frames.push(frame);
    newest = frame.number;
    bytes += frame.bytes.length;
    while (bytes > keptBytes && frames.length > 1) bytes -= frames.shift()?.bytes.length ?? 0;
  }

  function end(how: { error?: unknown }): void {
    if (ended !== null) return;
    ended = how;
    onEnd();
    wakeAll();
  }

  async function readAll(): Promise<void> {
    for await (const event of read(left.signal)) {
      keep(frameOf(event));
      wakeAll();
    }
  }

  readAll().then(
    () => end({}),
    (error: unknown) => end({ error }),
  );
  return {
    join() {
      followers += 1;
      return () => {
        followers -= 1;
        if (followers > 0) return;
        // Whoever comes from now on begins anew.
        end({});
        left.abort();
      };
    },
    behind(number) {
      if (number < newest) return frames[number + 1 - (frames[0]?.number ?? 0)] ?? 'gone';
      if (ended === null) return 'wait';
      if ('error' in ended) throw ended.error;
      return 'end';
    },
    more(signal) {
      return new Promise((resolve) => {
        const wake = (): void => {
          waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        waiting.add(wake);
        signal.addEventListener('abort', wake);
      });
    },
  };
}

function frameOf(event: RunEvent): Frame {
  const text = `id: ${event.number}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  return { number: event.number, bytes: Buffer.from(text) };
}
