import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { findTokenById } from '../app/access-tokens';
import type { ColligateClient } from '../client/colligate-client';
import { type RunEvent, RunEventBody } from '../contracts/event';
import { Problem } from './problem';
import {
  type Caller,
  coalesceCalls,
  createOwnerCounter,
  ownRun,
  type Routes,
  RunIdParams,
  type ServerContext,
  tooManyProblem,
} from './server-context';

/** Newest events of a run in memory, for all followers. A slower follower reads the log itself. */
const FEED_BUFFER_BYTES = 1024 * 1024;

interface EventFrame {
  number: number;
  bytes: Buffer;
}

export interface RunFeeds {
  /** The events above `after` as they come. Ends and rejects like the events of the client, and ends on abort. */
  follow(runId: string, after: number, signal: AbortSignal): AsyncIterable<EventFrame>;
}

/** Reads the log of a run once for all followers, while there is at least one. */
export function createRunFeeds(
  client: Pick<ColligateClient, 'run'>,
  keptBytes = FEED_BUFFER_BYTES,
): RunFeeds {
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
            // Reads the log to its end, or until the next event is in memory.
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

/** The events of one run, read once from the first: followers resume at different places after a restart. */
interface Feed {
  /** Returns a function to call at the end. */
  join(): () => void;
  /**
   * The event after a number; `gone` if it is not in memory any more. Throws the error of the log after its
   * last event.
   */
  behind(number: number): EventFrame | 'wait' | 'gone' | 'end';
  more(signal: AbortSignal): Promise<void>;
}

function openFeed(
  read: (signal: AbortSignal) => AsyncIterable<RunEvent>,
  { keptBytes, onEnd }: { keptBytes: number; onEnd: () => void },
): Feed {
  const frames: EventFrame[] = [];
  const waiting = new Set<() => void>();
  const left = new AbortController();
  let bytes = 0;
  let newest = 0;
  let followers = 0;
  let ended: { error?: unknown } | null = null;

  function wakeAll(): void {
    for (const wake of waiting) wake();
  }

  function keep(frame: EventFrame): void {
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

function frameOf(event: RunEvent): EventFrame {
  const text = `id: ${event.number}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  return { number: event.number, bytes: Buffer.from(text) };
}

/** Interval of token checks. A revoked token ends its streams after this time, also idle ones. */
const TOKEN_CHECK_MS = 1_000;
/** Token checks between two comments, which keep proxies from closing an idle connection. */
const CHECKS_PER_COMMENT = 15;

const RETRY_MS = 2_000;

interface OpenStream {
  caller: Caller;
  to: ServerResponse;
  /** Abort it to end the stream. */
  gone: AbortController;
}

interface OpenStreams {
  /** Clients reconnect and resume after their last event. */
  endAll(): void;
  /** Returns a function to call at the end. */
  add(stream: OpenStream): () => void;
  isStillLetIn(caller: Caller): Promise<boolean>;
}

/** One timer and one token query serve all streams. */
function createOpenStreams({ access, now }: Pick<ServerContext, 'access' | 'now'>): OpenStreams {
  const streams = new Set<OpenStream>();
  const tokens = coalesceCalls(() => access.tokens());
  let timer: NodeJS.Timeout | null = null;
  let looks = 0;

  async function isStillLetIn({ tokenId }: Caller): Promise<boolean> {
    const kept = await tokens('');
    if (tokenId === null) return kept.length === 0;
    return (await findTokenById({ tokens: () => Promise.resolve(kept) }, tokenId, now())) !== null;
  }

  async function look(stream: OpenStream, isTimeForComment: boolean): Promise<void> {
    if (!(await isStillLetIn(stream.caller))) stream.gone.abort();
    else if (isTimeForComment && !stream.to.writableNeedDrain) stream.to.write(': \n\n');
  }

  function lookAtAll(): void {
    looks += 1;
    for (const stream of streams)
      void look(stream, looks % CHECKS_PER_COMMENT === 0).catch(() => stream.gone.abort());
  }

  return {
    isStillLetIn,
    endAll() {
      for (const { to, gone } of streams) {
        if (!to.writableNeedDrain) to.write(`retry: ${RETRY_MS}\n\n`);
        gone.abort();
      }
    },
    add(stream) {
      streams.add(stream);
      timer ??= setInterval(lookAtAll, TOKEN_CHECK_MS);
      return () => {
        streams.delete(stream);
        if (streams.size > 0 || timer === null) return;
        clearInterval(timer);
        timer = null;
      };
    },
  };
}

/** A client that does not read for this time counts as gone. */
const DRAIN_TIMEOUT_MS = 30_000;

const StreamedEvent = z
  .intersection(
    RunEventBody,
    z.object({ runId: z.string(), number: z.int().positive(), key: z.string(), at: z.string() }),
  )
  .meta({ id: 'RunEvent' });

export const eventRoutes: Routes = (app, face) => {
  const { limits } = face;
  const feeds = createRunFeeds(face.client);
  const streams = createOpenStreams(face);
  const open = createOwnerCounter();
  app.addHook('preClose', async () => streams.endAll());
  app.get(
    '/v1/runs/:runId/events',
    {
      config: { scope: 'read', stream: true },
      schema: {
        operationId: 'runEvents',
        summary:
          'The events of a run as they come, as server-sent events; behind the one of `Last-Event-ID`.',
        params: RunIdParams,
        headers: z.object({
          'last-event-id': z
            .string()
            .regex(/^\d{1,12}$/, 'it is a number')
            .optional(),
        }),
        response: {
          200: {
            description: 'A stream that ends with the run.',
            content: { 'text/event-stream': { schema: StreamedEvent } },
          },
          default: Problem,
        },
      },
    },
    async (request, reply) => {
      const { runId } = await ownRun(face, request);
      const after = Number(request.headers['last-event-id'] ?? 0);
      // Nothing would release the slot of a client that has left.
      if (request.gone.aborted) return void reply.hijack();
      const leave = open.enter(request.caller.owner, limits.streams);
      if (leave === null)
        throw tooManyProblem('event streams', limits.streams, 'Close one, or ask for the status of the run.');
      const gone = new AbortController();
      request.gone.addEventListener('abort', () => {
        leave();
        gone.abort();
      });
      reply.hijack();
      reply.raw.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-accel-buffering': 'no',
      });
      reply.raw.flushHeaders();
      const stream = { caller: request.caller, to: reply.raw, gone };
      await sendFrames(streams, stream, feeds.follow(runId, after, gone.signal));
    },
  );
};

/** Ends with the run, when the client stops reading, and when its token is revoked. */
async function sendFrames(
  streams: OpenStreams,
  stream: OpenStream,
  frames: AsyncIterable<EventFrame>,
): Promise<void> {
  const { to, gone } = stream;
  const remove = streams.add(stream);
  try {
    for await (const { bytes } of frames) {
      if (!(await streams.isStillLetIn(stream.caller))) return;
      if (!to.write(bytes) && !(await waitForDrain(stream))) return;
    }
  } finally {
    remove();
    gone.abort();
    to.end();
    // Drops unread data.
    if (to.writableNeedDrain) to.destroy();
  }
}

async function waitForDrain({ to, gone }: OpenStream): Promise<boolean> {
  try {
    await once(to, 'drain', {
      signal: AbortSignal.any([gone.signal, AbortSignal.timeout(DRAIN_TIMEOUT_MS)]),
    });
    return true;
  } catch {
    return false;
  }
}
