import type { FastifyError } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type FailureCode, knownFailure } from '../app/known-failures';

// Errors as responses of the HTTP API.

/** RFC 9457. `code` is the one of the command line; `problems` exists if there are several. */
export const Problem = z
  .object({
    type: z.literal('about:blank'),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    problems: z.array(z.string()).optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;

export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
  ) {
    super(detail);
  }
}

const STATUSES: Readonly<Record<FailureCode, number>> = {
  usage: 409,
  configuration: 500,
  request: 422,
  sources: 422,
  subtopics: 422,
  store: 503,
  folder: 500,
  'run-closed': 409,
  'run-differs': 409,
  'run-not-found': 404,
  'run-not-running': 409,
  'run-kind': 409,
  'unknown-version': 404,
  'unknown-claim': 404,
  'no-answer': 409,
  refused: 409,
  unanswered: 504,
  'schedule-not-found': 404,
  'schedule-exists': 409,
  'run-content-gone': 410,
  'encryption-key': 500,
  'run-still-running': 409,
  'too-many': 429,
  busy: 503,
  'server-unreachable': 503,
};

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  409: 'Conflict',
  410: 'Gone',
  413: 'Too large',
  415: 'Unsupported media type',
  421: 'Misdirected request',
  422: 'Not valid',
  429: 'Too many requests',
  500: 'Internal error',
  502: 'Bad gateway',
  503: 'Unavailable',
  504: 'No answer in time',
};

const MAX_PROBLEMS = 20;

/** Temporary refusals are no errors of this server: the same request can succeed later. */
export function isTransient({ status, code }: Pick<Problem, 'status' | 'code'>): boolean {
  return status === 429 || code === 'busy' || code === 'no-room';
}

/** Unexpected errors go to the log. The problem then has the id of the request. */
export function toProblem(error: unknown, requestId: string): Problem {
  const known = knownFailure(error);
  if (known !== null) return createProblem(STATUSES[known.code], known.code, known.message, known.problems);
  if (error instanceof HttpProblem) return createProblem(error.status, error.code, error.message);
  if (hasZodFastifySchemaValidationErrors(error)) {
    const all = error.validation;
    const problems = all
      .slice(0, MAX_PROBLEMS)
      .map(
        ({ instancePath, message }) =>
          `${error.validationContext}${instancePath.replaceAll('/', '.')}: ${message}`,
      );
    const more = all.length - problems.length;
    if (more > 0) problems.push(`${more.toLocaleString('en')} more values are not valid.`);
    return createProblem(422, 'request', problems[0] ?? 'The request is not valid.', problems);
  }
  const status = (error as Partial<FastifyError> | null)?.statusCode ?? 500;
  return status < 500 && error instanceof Error
    ? createProblem(status, 'request', error.message)
    : createProblem(
        500,
        'unexpected',
        `The server failed while it handled this request. Its log has the error under request id ${requestId}.`,
      );
}

export function createProblem(
  status: number,
  code: string,
  detail: string,
  problems: readonly string[] = [],
): Problem {
  return {
    type: 'about:blank',
    title: TITLES[status] ?? 'Error',
    status,
    detail,
    code,
    ...(problems.length > 1 ? { problems: [...problems] } : {}),
  };
}
