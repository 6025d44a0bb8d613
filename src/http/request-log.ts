import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHttpMetrics } from '../app/prometheus';
import type { App } from './server-context';

/** One line of the access log. `path` has no query: a query may hold what a user searches for. */
export interface AccessEntry {
  time: string;
  requestId: string;
  method: string;
  path: string;
  status: number;
  ms: number;
  /** Id of the token, never the token itself; null without one. */
  token: string | null;
  remoteAddress: string;
  aborted: boolean;
}

export interface RequestLogOptions {
  version: string;
  logAccess?: ((entry: AccessEntry) => void) | undefined;
}

const REQUEST_ID_HEADER = 'x-request-id';
const MAX_PATH_CHARS = 500;
const CLIENT_CLOSED_REQUEST = 499;

/** Ids of clients are not used: a client could forge log entries. */
export function newRequestId(): string {
  return randomUUID();
}

/** Adds a request id to each response, counts requests, writes the access log and serves `/metrics`. */
export function observeRequests(app: App, { version, logAccess }: RequestLogOptions): void {
  const metrics = createHttpMetrics({ version });
  app.addHook('onRequest', async (request, reply) => {
    // Event streams bypass Fastify, so the header is set on the response of Node.
    reply.raw.setHeader(REQUEST_ID_HEADER, request.id);
    metrics.requestBegan();
    // Node forgets the address when the connection closes.
    const remoteAddress = request.ip;
    const isStream = request.routeOptions.config.stream === true;
    if (isStream) metrics.streamOpened();
    reply.raw.once('close', () => {
      metrics.requestEnded();
      const ms = reply.elapsedTime;
      if (isStream) metrics.streamClosed();
      else metrics.answered({ ...answerOf(request, reply), seconds: ms / 1_000 });
      logAccess?.({ ...entryOf(request, reply, ms), remoteAddress });
    });
  });
  app.get(
    '/metrics',
    { config: { scope: 'read' }, schema: { hide: true } },
    async (_request, reply): Promise<FastifyReply> => {
      const { body, contentType } = await metrics.text();
      return reply.type(contentType).send(body);
    },
  );
}

function answerOf(
  request: FastifyRequest,
  reply: FastifyReply,
): { method: string; route: string; status: number } {
  return {
    method: request.method,
    route: request.routeOptions.url ?? 'unknown',
    status: statusOf(reply),
  };
}

/** 499, as in nginx, if the client left before a status was sent. */
function statusOf({ raw }: FastifyReply): number {
  return raw.headersSent ? raw.statusCode : CLIENT_CLOSED_REQUEST;
}

function entryOf(
  request: FastifyRequest,
  reply: FastifyReply,
  ms: number,
): Omit<AccessEntry, 'remoteAddress'> {
  return {
    time: new Date(Date.now() - ms).toISOString(),
    requestId: request.id,
    method: request.method,
    path: request.url.replace(/\?.*$/s, '').slice(0, MAX_PATH_CHARS),
    status: statusOf(reply),
    ms: Math.round(ms),
    token: (request.caller as FastifyRequest['caller'] | undefined)?.tokenId ?? null,
    aborted: !reply.raw.writableFinished,
  };
}
