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
import { guard, type GuardOptions } from './access/guard';
import type { Limits } from './access/limits';
import { type App, faceOf, type FaceParts, type Routes } from './face';
import { HttpProblem, problemOf } from './problem';
import { acceptUploads } from './requests/uploads';
import { documented } from './requests/uploads-documented';
import { aboutRoutes } from './routes/about';
import { eventRoutes } from './routes/events';
import { isPage, refusePage } from './routes/pages/looked-at';
import { PAGES } from './routes/pages/pages';
import { mcpRoutes } from './routes/mcp';
import { resultRoutes } from './routes/results';
import { runRoutes } from './routes/runs';
import { scheduleRoutes } from './routes/schedules';
import { steeringRoutes } from './routes/steering';
import { tokenRoutes } from './routes/tokens';
import { verifyRoutes } from './routes/verify';

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

/** Of what is sent as JSON; what is larger is uploaded. */
const MOST_BYTES = 32 * 1024 * 1024;

const IDLE_LOOK_MS = 100;
/** When somebody who is above a limit may ask again. */
const RETRY_AFTER_S = 5;

export interface ServerOptions extends GuardOptions {
  version: string;
  /** Of the files that come with a request. */
  maxUploadBytes: number;
  limits: Limits;
  /** How long requests under way may take when the face closes, in milliseconds. */
  graceMs: number;
  /** Told what nobody foresaw. */
  report: (error: unknown) => void;
}

/** The face over HTTP, not listening yet. */
export async function createServer(parts: FaceParts, options: ServerOptions): Promise<App> {
  const face = faceOf(parts, options.limits);
  const app: App = fastify({
    bodyLimit: MOST_BYTES,
    // A run's id may hold any character, and is as long as the server lets it be.
    routerOptions: { maxParamLength: 6_000 },
    requestTimeout: 600_000,
    exposeHeadRoutes: false,
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, parse(String(body))),
  );
  finishOnClose(app, options.graceMs);
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error);
    if (problem.status >= 500) options.report(error);
    if (isPage(request)) return refusePage(request, reply, problem);
    if (problem.status === 401) void reply.header('www-authenticate', 'Bearer');
    if (problem.status === 429) void reply.header('retry-after', RETRY_AFTER_S);
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
    transform: (given) => documented(given, jsonSchemaTransform(given)),
    transformObject: jsonSchemaTransformObject,
  });
  guard(app, face, options);
  await acceptUploads(app, {
    maxBytes: options.maxUploadBytes,
    maxJson: MOST_BYTES,
    mostAtOnce: options.limits.uploads,
  });
  app.setNotFoundHandler(({ method, url }) => {
    throw new HttpProblem(404, 'no-such-path', `There is nothing at ${method} ${url.slice(0, 200)}.`);
  });
  for (const routes of [...ROUTES, mcpRoutes(options), ...PAGES]) routes(app, face);
  await app.ready();
  return app;
}

/** Has requests under way finish when the face closes, and cuts what takes longer than the grace time. New ones get 503 from fastify. */
function finishOnClose(app: App, graceMs: number): void {
  const timers: NodeJS.Timeout[] = [];
  app.addHook('preClose', async () => {
    // Node closes the idle connections once: those that become idle later would be kept.
    timers.push(setInterval(() => app.server.closeIdleConnections(), IDLE_LOOK_MS));
    timers.push(setTimeout(() => app.server.closeAllConnections(), graceMs));
  });
  app.addHook('onClose', async () => {
    for (const timer of timers) clearTimeout(timer);
  });
}
