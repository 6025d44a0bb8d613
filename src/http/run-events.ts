import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { findTokenById } from '../app/access-tokens';
import type { ColligateClient } from '../client/colligate-client';
import { type RunEvent, RunEventBody } from '../contracts/event';
import { Problem } from './problem';
import {
  type Caller,
  countByOwner,
  type Face,
  ownRun,
  type Routes,
  RunIdParams,
  sharedLooks,
  tooMany,
} from './server-context';

/** So much of a run's newest events is at hand for all its followers; whoever is further behind reads the log for themselves. */
const KEPT_BYTES = 1024 * 1024;

/** An event as it goes over the wire. Its bytes are the same ones for all followers, whether they read them now or later. */
interface Frame {
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

/** A token that is revoked ends what is read with it as soon as this, also where nothing happens. */
const LOOK_MS = 1_000;
/** A comment is sent at each of so many looks, so that what stands between keeps the connection. */
const LOOKS_A_COMMENT = 15;

/** After a restart a client asks again so soon. */
const RETRY_MS = 2_000;

interface OpenStream {
  caller: Caller;
  to: ServerResponse;
  /** Aborted when it is to end. */
  gone: AbortController;
}

interface OpenStreams {
  /** Ends all of them; clients come back after a moment, behind the last event that they have. */
  endAll(): void;
  /** Gives what to call when it has ended. */
  add(stream: OpenStream): () => void;
  /** Asked before something is told: what happened after a token was revoked is not told by it. */
  isStillLetIn(caller: Caller): Promise<boolean>;
}

/** Ends streams whose token is none any more and keeps the quiet ones open: one timer and one look for all of them. */
function createOpenStreams({ access, now }: Pick<Face, 'access' | 'now'>): OpenStreams {
  const streams = new Set<OpenStream>();
  const tokens = sharedLooks(() => access.tokens());
  let timer: NodeJS.Timeout | null = null;
  let looks = 0;

  async function isStillLetIn({ tokenId }: Caller): Promise<boolean> {
    const kept = await tokens('');
    // With the first token each request needs one.
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
      void look(stream, looks % LOOKS_A_COMMENT === 0).catch(() => stream.gone.abort());
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
      timer ??= setInterval(lookAtAll, LOOK_MS);
      return () => {
        streams.delete(stream);
        if (streams.size > 0 || timer === null) return;
        clearInterval(timer);
        timer = null;
      };
    },
  };
}

/** Whoever does not read for so long is not there any more. */
const SLOW_MS = 30_000;

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
  const open = countByOwner();
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
      // A client that has left is not told so again, and would hold its place for good.
      if (request.gone.aborted) return void reply.hijack();
      const leave = open.enter(request.caller.owner, limits.streams);
      if (leave === null)
        throw tooMany('event streams', limits.streams, 'Close one, or ask for the status of the run.');
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
      // The client is connected from now on, and not from the first event.
      reply.raw.flushHeaders();
      const stream = { caller: request.caller, to: reply.raw, gone };
      await send(streams, stream, feeds.follow(runId, after, gone.signal));
    },
  );
};

/** Ends when the run has, when nobody reads, and when the token is none any more. */
async function send(streams: OpenStreams, stream: OpenStream, frames: AsyncIterable<Frame>): Promise<void> {
  const { to, gone } = stream;
  const remove = streams.add(stream);
  try {
    for await (const { bytes } of frames) {
      if (!(await streams.isStillLetIn(stream.caller))) return;
      if (!to.write(bytes) && !(await isDrained(stream))) return;
    }
  } finally {
    remove();
    gone.abort();
    to.end();
    // What was not read by then is not waited for.
    if (to.writableNeedDrain) to.destroy();
  }
}

async function isDrained({ to, gone }: OpenStream): Promise<boolean> {
  try {
    await once(to, 'drain', { signal: AbortSignal.any([gone.signal, AbortSignal.timeout(SLOW_MS)]) });
    return true;
  } catch {
    return false;
  }
}
