import { once } from 'node:events';
import { z } from 'zod';
import { RunEventBody } from '../../contracts/run/event';
import { createOpenStreams, type OpenStream, type OpenStreams } from '../following/open-streams';
import { createRunFeeds, type Frame } from '../following/run-feeds';
import type { Routes } from '../face';
import { countByOwner, tooMany } from '../access/limits';
import { Problem } from '../problem';
import { ownRun, RunIdParams } from './own-run';

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
