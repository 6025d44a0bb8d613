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
import { firstBeyond } from '../core/values/given-json';
import { guard, type GuardOptions } from './access/guard';
import type { Limits } from './access/limits';
import { type App, faceOf, type FaceParts, type Routes } from './face';
import { newRequestId, observe, type ObserveOptions } from './observe';
import { HttpProblem, isTransient, problemOf } from './problem';
import { acceptUploads, BODY_BOUNDS } from './requests/uploads';
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
const MOST_FORM_BYTES = 4 * 1024 * 1024;

const TOO_WRONG = new HttpProblem(413, 'too-large', 'The request has too many values that are not valid.');

const IDLE_LOOK_MS = 100;
const RETRY_AFTER_S = 5;

export interface ServerOptions extends GuardOptions, ObserveOptions {
  maxUploadBytes: number;
  limits: Limits;
  /** How long requests under way may take when the face closes, in milliseconds. */
  graceMs: number;
  /** Receives each error that no rule covers, with the id of its request. */
  report: (error: unknown, requestId: string) => void;
}

/** The face over HTTP, not listening yet. */
export async function createServer(parts: FaceParts, options: ServerOptions): Promise<App> {
  const face = faceOf(parts, options.limits);
  const app: App = fastify({
    bodyLimit: MOST_BYTES,
    // A run's id may hold any character, and is as long as the server lets it be.
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
    const beyond = firstBeyond(body, BODY_BOUNDS);
    if (beyond === null) return void parseJson(request, body, done);
    done(new HttpProblem(413, 'too-large', `The body has ${beyond.why}.`));
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MOST_FORM_BYTES },
    (_request, body, done) => done(null, parse(String(body))),
  );
  finishOnClose(app, options.graceMs);
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error, request.id);
    const isBusy = isTransient(problem);
    if (isBusy) void reply.header('retry-after', RETRY_AFTER_S);
    else if (problem.status >= 500 && !request.gone.aborted) options.report(error, request.id);
    if (isPage(request)) return refusePage(request, reply, problem);
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
    transform: (given) => documented(given, jsonSchemaTransform(given)),
    transformObject: jsonSchemaTransformObject,
  });
  app.decorateRequest('gone');
  app.addHook('onRequest', async (request, reply) => {
    const gone = new AbortController();
    reply.raw.on('close', () => gone.abort());
    request.gone = gone.signal;
    // Nothing is guessed to be of another type, or kept where others could look.
    void reply.headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
  });
  observe(app, options);
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

/** The schemas hand on what is wrong as arguments of a call, for which there is room up to a number. */
const boundedCompiler: typeof validatorCompiler = (given) => {
  const validate = validatorCompiler(given);
  return (value: unknown) => {
    try {
      return validate(value);
    } catch (error) {
      if (error instanceof RangeError) return { error: TOO_WRONG };
      throw error;
    }
  };
};

/** A path that is no UTF-8 is taken as it stands: whoever asks for it is looked at as for any other. */
function readablePath(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return `${path.replaceAll('%', '%25')}${url.slice(path.length)}`;
  }
}
