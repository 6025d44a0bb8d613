import type { FastifyReply, FastifyRequest } from 'fastify';
import { problemPage } from '../../../pages/problem-page';
import type { Viewer } from '../../../pages/served-page';
import { allows } from '../../access/allows';
import type { Problem } from '../../problem';

/**
 * Nothing of a page stands in another's frame, is guessed to be of another type, or is kept where others could look. Without any
 * referrer a browser would not say either whose page a form is of.
 */
const HEADERS = {
  'content-security-policy': "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

export function isPage({ routeOptions: { config }, headers: { accept } }: FastifyRequest): boolean {
  return config.page === true || (config.scope === undefined && accept?.includes('text/html') === true);
}

export function sendPage(reply: FastifyReply, page: string, status = 200): FastifyReply {
  return reply.code(status).headers(HEADERS).type('text/html; charset=utf-8').send(page);
}

/** Whoever is not let in is asked to sign in, and comes back from there. */
export function refusePage(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  if (problem.status === 401) {
    const to = request.method === 'GET' ? request.url : '/';
    return reply.redirect(`/sign-in?to=${encodeURIComponent(to)}`, 303);
  }
  return sendPage(
    reply.serializer(String),
    problemPage(viewerOf(request), problem.problems ?? [problem.detail]),
    problem.status,
  );
}

export function viewerOf({ caller }: Partial<Pick<FastifyRequest, 'caller'>>): Viewer {
  // Of a request that was refused nobody is known.
  return {
    owner: caller?.owner ?? null,
    signedIn: caller?.byCookie ?? false,
    mayRun: caller !== undefined && allows(caller.scope, 'run'),
  };
}
