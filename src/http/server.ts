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

export interface ServerOptions extends GuardOptions {
  version: string;
  /** Of the files that come with a request. */
  maxUploadBytes: number;
  /** Told what nobody foresaw. */
  report: (error: unknown) => void;
}

/** The face over HTTP, not listening yet. */
export async function createServer(parts: FaceParts, options: ServerOptions): Promise<App> {
  const face = faceOf(parts);
  const app: App = fastify({
    bodyLimit: MOST_BYTES,
    // A run's id may hold any character, and is as long as the server lets it be.
    routerOptions: { maxParamLength: 6_000 },
    requestTimeout: 600_000,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, parse(String(body))),
  );
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error);
    if (problem.status >= 500) options.report(error);
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
  guard(app, face, options);
  await acceptUploads(app, { maxBytes: options.maxUploadBytes, maxJson: MOST_BYTES });
  app.setNotFoundHandler(({ method, url }) => {
    throw new HttpProblem(404, 'no-such-path', `There is nothing at ${method} ${url.slice(0, 200)}.`);
  });
  for (const routes of [...ROUTES, mcpRoutes(options), ...PAGES]) routes(app, face);
  await app.ready();
  return app;
}
