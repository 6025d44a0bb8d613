import type { Routes, Face } from '../../face';
import { outlinePages } from './outline';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { runPath } from '../../../pages/served-page';
import { startPage } from '../../../pages/start-page';
import { askedOf, RunForm } from '../../requests/run-form';
import { estimateFor } from '../../requests/estimate-for';
import { startFor } from '../../requests/start-for';
import { latestRuns } from '../latest-runs';
import { sendPage, viewerOf } from './looked-at';
import type { FastifyRequest } from 'fastify';
import { findToken } from '../../../app/access/access-tokens';
import { parsedUrl } from '../../../core/values/parsed-url';
import { signIn } from '../../../pages/sign-in';
import { noTokenCookie, tokenCookie } from '../../access/session-cookie';
import { RunKind } from '../../../contracts/kinds';
import { RunStatus } from '../../../contracts/run/run';
import { runSnapshot } from '../../../core/run/run-snapshot';
import type { ListedRun } from '../../../pages/list-of-runs';
import { listOfRuns } from '../../../pages/list-of-runs';
import { listedRuns } from '../listed-runs';
import { faceTexts } from '../../../texts/face';
import { CLOSED_STATUSES } from '../../../core/run/closed-statuses';
import type { RunHandle } from '../../../client/run-handle';
import { pageOfRun, type RunShown } from '../../../pages/page-of-run';
import { ownRun, RunIdParams } from '../own-run';

const DONE = ['pause', 'resume', 'cancel'] as const;

const runPages: Routes = (app, face) => {
  app.get(
    '/runs/:runId',
    {
      config: { scope: 'read', page: true },
      schema: {
        hide: true,
        params: RunIdParams,
        querystring: z.object({ done: z.enum(DONE).optional().catch(undefined) }),
      },
    },
    async (request, reply) => {
      const viewer = viewerOf(request);
      const { done } = request.query;
      const told = done === undefined ? null : faceTexts.done[done];
      return sendPage(reply, pageOfRun(viewer, { ...(await shownRun(face, request)), told }));
    },
  );

  app.get(
    '/runs/:runId/result',
    { config: { scope: 'read', page: true }, schema: { hide: true, params: RunIdParams } },
    async (request, reply) => {
      const { runId } = await ownRun(face, request);
      const { content } = await face.client.export(runId, 'html');
      return sendPage(reply, String(content));
    },
  );

  for (const [name, act] of Object.entries(ACTIONS)) {
    app.post(
      `/runs/:runId/${name}`,
      {
        config: { scope: 'run', page: true },
        schema: { hide: true, params: RunIdParams, body: z.record(z.string(), z.unknown()).nullish() },
      },
      async (request, reply) => {
        const to = await act(await ownRun(face, request), face, request);
        return reply.redirect(to, 303);
      },
    );
  }
};

const ACTIONS: Readonly<Record<string, Action>> = {
  ...Object.fromEntries(
    DONE.map((name): [string, Action] => [
      name,
      async (run) => {
        await run[name]();
        return runPath(run.runId, `?done=${name}`);
      },
    ]),
  ),
  async approve(run) {
    await run.approveOutline();
    return runPath(run.runId);
  },
  async delete({ runId }, { client }) {
    await client.delete(runId);
    return '/';
  },
};

const A_PAGE = 50;

/** What a form leaves empty is not asked for. */
const orNone = <Value extends z.ZodType>(value: Value) =>
  z.union([z.literal('').transform(() => undefined), value]).optional();

const runsPages: Routes = (app, face) => {
  app.get(
    '/',
    {
      config: { scope: 'read', page: true },
      schema: {
        hide: true,
        querystring: z.object({
          kind: orNone(RunKind),
          status: orNone(RunStatus),
          search: orNone(z.string().max(200)),
          cursor: z.string().max(2_000).optional(),
        }),
      },
    },
    async (request, reply) => {
      const { cursor, ...asked } = request.query;
      const { runs, next } = await listedRuns(face, request.caller, { ...asked, cursor, limit: A_PAGE });
      const waiting = await Promise.all(runs.map(async (run) => ({ ...run, wait: await waitOf(face, run) })));
      const given = (['kind', 'status', 'search'] as const).flatMap((name): [string, string][] =>
        asked[name] === undefined ? [] : [[name, asked[name]]],
      );
      const older = next === null ? null : `/?${String(new URLSearchParams([...given, ['cursor', next]]))}`;
      return sendPage(reply, listOfRuns(viewerOf(request), { runs: waiting, older, asked }));
    },
  );
};

const STANDS: readonly RunStatus[] = ['queued', 'waiting', 'pausing', 'paused', 'awaiting-approval'];

/** A path of this server, as browsers read it: a link to the form cannot redirect to another site. */
const OwnPath = z.string().max(1_000).catch('/').transform(ownPath);

const OWN = 'http://own.invalid';

const sessionPages: Routes = (app, { access, now }) => {
  const open = { scope: 'open', page: true } as const;

  app.get(
    '/sign-in',
    { config: open, schema: { hide: true, querystring: z.object({ to: OwnPath.default('/') }) } },
    async (request, reply) =>
      sendPage(reply, signIn(viewerOf(request), { to: request.query.to, wasRefused: false })),
  );

  app.post(
    '/sign-in',
    {
      config: open,
      schema: { hide: true, body: z.object({ token: z.string().max(200), to: OwnPath.default('/') }) },
    },
    async (request, reply) => {
      const { token, to } = request.body;
      if ((await findToken(access, token.trim(), now())) === null)
        return sendPage(reply, signIn(viewerOf(request), { to, wasRefused: true }), 401);
      return reply.header('set-cookie', tokenCookie(token.trim(), isOverTls(request))).redirect(to, 303);
    },
  );

  app.post('/sign-out', { config: open, schema: { hide: true } }, async (request, reply) =>
    reply.header('set-cookie', noTokenCookie(isOverTls(request))).redirect('/sign-in', 303),
  );
};

const Form = RunForm.extend({ key: z.string().min(1).max(100) });

const startPages: Routes = (app, face) => {
  app.get(
    '/start',
    { config: { scope: 'run', page: true }, schema: { hide: true } },
    async (request, reply) => {
      const latest = await latestRuns(face, request.caller);
      return sendPage(reply, startPage(viewerOf(request), { key: randomUUID(), latest }));
    },
  );

  app.post(
    '/start/estimate',
    { config: { scope: 'run', uploads: 'form' }, schema: { hide: true, body: Form } },
    async (request) => {
      const { told, warnings } = await estimateFor(face, request, askedOf(request.body));
      return { told: [told, ...warnings.map(({ message }) => message)].join(' ') };
    },
  );

  app.post(
    '/start',
    { config: { scope: 'run', page: true, uploads: 'form' }, schema: { hide: true, body: Form } },
    async (request, reply) => {
      const { key } = request.body;
      const { runId } = await startFor(face, request, askedOf(request.body), key);
      return reply.redirect(runPath(runId), 303);
    },
  );
};

/** What people look at. None of it is in the document for services. */
export const PAGES: readonly Routes[] = [sessionPages, runsPages, runPages, outlinePages, startPages];

function ownPath(given: string): string {
  const url = parsedUrl(given, OWN);
  if (url?.origin !== OWN || !given.startsWith('/')) return '/';
  const path = `${url.pathname}${url.search}${url.hash}`;
  // Without its dots a path may begin as the address of a site does.
  return parsedUrl(path, OWN)?.origin === OWN ? path : '/';
}

/** A form names the origin of its page. */
function isOverTls({ headers: { origin } }: FastifyRequest): boolean {
  return origin !== undefined && origin.startsWith('https:');
}

/** What a run waits for that stands still. Its records are asked, so that one that nobody answers for holds nobody up. */
async function waitOf(
  { client }: Face,
  { runId, status }: Omit<ListedRun, 'wait'>,
): Promise<ListedRun['wait']> {
  if (!STANDS.includes(status)) return null;
  try {
    return runSnapshot(await client.run(runId).progress({ fromRecords: true }), null).wait;
  } catch {
    // Deleted since it was listed.
    return null;
  }
}

type Action = (run: RunHandle, face: Face, request: Pick<FastifyRequest, 'body'>) => Promise<string>;

async function shownRun(
  face: Face,
  request: FastifyRequest & { params: z.infer<typeof RunIdParams> },
): Promise<Omit<RunShown, 'told'>> {
  const { runId } = await ownRun(face, request);
  const soFar = await face.client.soFar(runId);
  const { status } = soFar.snapshot;
  if (!CLOSED_STATUSES.has(status)) {
    return { soFar, hasResult: false };
  }
  return { soFar, hasResult: status !== 'failed' };
}
