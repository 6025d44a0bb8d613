import { parse } from 'node:querystring';
import swagger from '@fastify/swagger';
import fastify from 'fastify';
import {
  jsonSchemaTransform,
  jsonSchemaTransformObject,
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod';
import { z } from 'zod';
import { findExceededBound } from '../lib/json';
import { type GuardOptions, guardRoutes, tokenRoutes } from './access';
import type { McpServerParts } from './mcp-server';
import { PAGES } from './page-routes';
import { createProblem, HttpProblem, isTransient, Problem, toProblem } from './problem';
import { newRequestId, observeRequests, type RequestLogOptions } from './request-log';
import { resultRoutes, verifyRoutes } from './result-routes';
import { eventRoutes } from './run-events';
import { runRoutes, steeringRoutes } from './run-routes';
import { scheduleRoutes } from './schedule-routes';
import { isPage, sendRefusal } from './served-page';
import {
  type App,
  createServerContext,
  LIMITS,
  type Limits,
  type Routes,
  type ServerParts,
} from './server-context';
import { acceptUploads, BODY_BOUNDS, documentUploads } from './uploads';

export interface ServerOptions extends GuardOptions, RequestLogOptions {
  maxUploadBytes: number;
  limits: Limits;
  graceMs: number;
  /** Receives each unexpected error, with the id of its request. */
  report: (error: unknown, requestId: string) => void;
}

export async function createServer(parts: ServerParts, options: ServerOptions): Promise<App> {
  const face = createServerContext(parts, options.limits);
  const app: App = fastify({
    bodyLimit: MAX_JSON_BYTES,
    // Room for the longest run id, with each character percent-encoded.
    routerOptions: { maxParamLength: 6_000 },
    rewriteUrl: ({ url = '/' }) => readablePath(url),
    requestTimeout: 600_000,
    exposeHeadRoutes: false,
    genReqId: newRequestId,
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(boundedCompiler);
  app.setSerializerCompiler(serializerCompiler);
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    const beyond = findExceededBound(body, BODY_BOUNDS);
    if (beyond === null) return void parseJson(request, body, done);
    done(new HttpProblem(413, 'too-large', `The body has ${beyond.why}.`));
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    (_request, body, done) => done(null, parse(String(body))),
  );
  finishOnClose(app, options.graceMs);
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error, request.id);
    const isBusy = isTransient(problem);
    if (isBusy) void reply.header('retry-after', RETRY_AFTER_S);
    else if (problem.status >= 500 && !request.gone.aborted) options.report(error, request.id);
    if (isPage(request)) return sendRefusal(request, reply, problem);
    if (problem.status === 401) void reply.header('www-authenticate', 'Bearer');
    return reply
      .code(problem.status)
      .type('application/problem+json')
      .serializer(JSON.stringify)
      .send(problem);
  });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Colligate', version: options.version },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      security: [{ token: [] }],
    },
    transform: (given) => documentUploads(given, jsonSchemaTransform(given)),
    transformObject: jsonSchemaTransformObject,
  });
  app.decorateRequest('gone');
  app.addHook('onRequest', async (request, reply) => {
    const gone = new AbortController();
    reply.raw.on('close', () => gone.abort());
    request.gone = gone.signal;
    void reply.headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
  });
  observeRequests(app, options);
  guardRoutes(app, face, options);
  await acceptUploads(app, {
    maxBytes: options.maxUploadBytes,
    maxJson: MAX_JSON_BYTES,
    mostAtOnce: options.limits.uploads,
  });
  app.setNotFoundHandler(({ method, url }) => {
    throw new HttpProblem(404, 'no-such-path', `There is nothing at ${method} ${url.slice(0, 200)}.`);
  });
  for (const routes of [...ROUTES, mcpRoutes(options), ...PAGES]) routes(app, face);
  await app.ready();
  return app;
}

/** Calls no route, so the parts can be empty. */
export async function openApiDocument(version: string): Promise<object> {
  const app = await createServer({} as ServerParts, {
    hosts: new Set(),
    origins: new Set(),
    withoutToken: null,
    version,
    maxUploadBytes: 0,
    limits: { ...LIMITS, runs: 0 },
    graceMs: 0,
    report: () => undefined,
  });
  const document = app.swagger();
  await app.close();
  return document;
}

const aboutRoutes: Routes = (app, { whyNotReady }) => {
  app.get(
    '/healthz',
    {
      config: { scope: 'open' },
      schema: {
        operationId: 'health',
        summary: 'Whether this process lives.',
        response: { 200: z.object({ status: z.literal('ok') }) },
      },
    },
    async () => ({ status: 'ok' as const }),
  );
  app.get(
    '/readyz',
    {
      config: { scope: 'open' },
      schema: {
        operationId: 'readiness',
        summary:
          'Whether runs can be started and carried out: Temporal answers, workers poll, the store is written, the disks have room.',
        response: { 200: z.object({ status: z.literal('ok') }), default: Problem },
      },
    },
    async (_request, reply) => {
      const reasons = await whyNotReady();
      if (reasons.length === 0) return { status: 'ok' as const };
      return reply
        .code(503)
        .type('application/problem+json')
        .send(createProblem(503, 'not-ready', reasons.join(' '), reasons));
    },
  );
  app.get(
    '/openapi.json',
    {
      config: { scope: 'open' },
      schema: { hide: true },
    },
    async () => app.swagger(),
  );
};

const ROUTES: readonly Routes[] = [
  aboutRoutes,
  runRoutes,
  eventRoutes,
  resultRoutes,
  steeringRoutes,
  scheduleRoutes,
  tokenRoutes,
  verifyRoutes,
];

const MAX_JSON_BYTES = 32 * 1024 * 1024;
const MAX_FORM_BYTES = 4 * 1024 * 1024;

const TOO_MANY_ISSUES = new HttpProblem(
  413,
  'too-large',
  'The request has too many values that are not valid.',
);

const IDLE_CHECK_MS = 100;
const RETRY_AFTER_S = 5;

/** Lets pending requests finish on close, and cuts them after the grace time. Fastify answers new ones with 503. */
function finishOnClose(app: App, graceMs: number): void {
  const timers: NodeJS.Timeout[] = [];
  app.addHook('preClose', async () => {
    // Node closes idle connections only once. This closes those that become idle later.
    timers.push(setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS));
    timers.push(setTimeout(() => app.server.closeAllConnections(), graceMs));
  });
  app.addHook('onClose', async () => {
    for (const timer of timers) clearTimeout(timer);
  });
}

/** zod passes issues on as arguments of a call. Too many of them cause a RangeError. */
const boundedCompiler: typeof validatorCompiler = (given) => {
  const validate = validatorCompiler(given);
  return (value: unknown) => {
    try {
      return validate(value);
    } catch (error) {
      if (error instanceof RangeError) return { error: TOO_MANY_ISSUES };
      throw error;
    }
  };
};

/** Escapes a path that is not UTF-8, so that it gets the same checks as any other. */
function readablePath(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return `${path.replaceAll('%', '%25')}${url.slice(path.length)}`;
  }
}

/** MCP for agents. Each request stands alone, behind the same guard as all others; no stream outlives its token. */
function mcpRoutes(given: Pick<McpServerParts, 'version' | 'report'>): Routes {
  return (app, face) => {
    app.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/mcp',
      config: { scope: 'read' },
      schema: { hide: true },
      async handler({ method, url, headers, body, caller, gone, raw }, reply) {
        const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
          typeof value === 'string' ? [[name, value]] : [],
        );
        // Loaded by the first request: the SDK takes 20 MB, and most servers never see an agent.
        const { createMcpHttpHandler } = await import('./mcp-server.js');
        const handler = createMcpHttpHandler({ ...face, ...given }, caller);
        const request = new Request(new URL(url, `http://${raw.headers.host ?? ''}`), {
          method,
          headers: sent,
          signal: gone,
        });
        return reply.send(await handler.fetch(request, { parsedBody: body }));
      },
    });
  };
}
