import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findToken } from '../app/access-tokens';
import { MessageRefusedError } from '../client/client-errors';
import type { RunHandle } from '../client/run-handle';
import { GivenOutline, type Outline } from '../contracts/outline';
import { RunKind, RunStatus } from '../contracts/run';
import { CLOSED_STATUSES, runSnapshot } from '../contracts/run-status';
import { parseBoundedJson } from '../lib/json';
import { parseUrl } from '../lib/url';
import { serverTexts } from '../report/page-texts';
import { InvalidSourcesError, problemLine } from '../sources/source-problems';
import { clearedTokenCookie, tokenCookie } from './access';
import { outlineEditor, type OutlineView, runPage, type RunView } from './run-page';
import { listRunsPage } from './run-routes';
import { runPath, sendPage, signInPage, viewerOf } from './served-page';
import { type Caller, ownRun, type Routes, RunIdParams, type ServerContext } from './server-context';
import { type LatestRuns, type ListedRun, runListPage, startPage, type UnreadSources } from './start-page';
import { estimateRunFor, parseRunForm, requireValid, RunForm, startRunFor } from './start-requests';

const StringList = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const OutlineForm = z.object({
  seen: z.coerce.number().int().nonnegative(),
  theme: z.string(),
  title: StringList,
  place: StringList,
  about: StringList,
  subsections: StringList,
  drop: StringList.default([]),
  do: z.enum(['save', 'approve']).default('save'),
});

const outlinePages: Routes = (app, face) => {
  app.get(
    '/runs/:runId/outline',
    { config: { scope: 'read', page: true }, schema: { hide: true, params: RunIdParams } },
    async (request, reply) => {
      const run = await ownRun(face, request);
      return sendPage(reply, outlineEditor(viewerOf(request), await loadOutlineView(run)));
    },
  );

  app.post(
    '/runs/:runId/outline',
    { config: { scope: 'run', page: true }, schema: { hide: true, params: RunIdParams, body: OutlineForm } },
    async (request, reply) => {
      const run = await ownRun(face, request);
      const { seen, do: wanted } = request.body;
      const outline = parseOutlineForm(request.body);
      const before = await loadOutlineView(run);
      if (before.seen === seen && (await saveOutline(run, outline, seen))) {
        await waitForOutline(run, before.outline);
        if (wanted === 'approve') await run.approveOutline();
        return reply.redirect(runPath(run.runId, wanted === 'approve' ? '' : '/outline'), 303);
      }
      // Another user saved the same version a moment ago.
      if (before.seen === seen) await waitForOutline(run, before.outline);
      const shown = { ...(await loadOutlineView(run)), refused: outline };
      return sendPage(reply, outlineEditor(viewerOf(request), shown), 409);
    },
  );
};

async function loadOutlineView(run: RunHandle): Promise<OutlineView> {
  const [outline, progress] = await Promise.all([run.outline(), run.progress()]);
  const isAwaited = progress.status === 'awaiting-approval';
  const steered = progress.toldBy === 'run' ? await run.steering() : null;
  const left = steered?.approval?.leftMs;
  const { stillSince } = progress;
  return {
    runId: run.runId,
    outline: outline === null ? null : editableOutline(outline),
    seen: steered?.applied.setOutline ?? 0,
    isOpen: steered !== null && progress.pass.number <= 1,
    isAwaited,
    until:
      left === undefined || stillSince === undefined
        ? null
        : new Date(Date.parse(stillSince) + left).toISOString(),
    refused: null,
  };
}

const POLL_MS = 100;
const MAX_POLLS = 50;

/** The version is a part of the message id: of two simultaneous saves of one version the run accepts one. */
async function saveOutline(run: RunHandle, outline: GivenOutline, seen: number): Promise<boolean> {
  try {
    await run.setOutline(outline, { id: `page-outline-${seen + 1}` });
    return true;
  } catch (error) {
    if (error instanceof MessageRefusedError && error.type === 'MessageIdReused') return false;
    throw error;
  }
}

/** Waits until the run has applied the new outline. Limited, because the new outline can equal the old one. */
async function waitForOutline(run: RunHandle, before: GivenOutline | null): Promise<void> {
  for (let look = 0; look < MAX_POLLS; look += 1) {
    const outline = await run.outline();
    if (outline !== null && !isDeepStrictEqual(editableOutline(outline), before)) return;
    await setTimeout(POLL_MS);
  }
}

function editableOutline({ overallTheme, sections }: Outline): GivenOutline {
  return {
    overallTheme,
    sections: sections.map(({ title, description, subsections }) => ({
      title,
      description,
      ...(subsections.length === 0 ? {} : { subsections: subsections.map((one) => one.title) }),
    })),
  };
}

const SUBSECTION_BOUNDS = { values: 1_000, members: 1_000 };

/** Sorts the rows by place. Leaves out dropped rows and rows without a title. */
function parseOutlineForm({
  theme,
  title,
  place,
  about,
  subsections,
  drop,
}: z.infer<typeof OutlineForm>): GivenOutline {
  const rows = title
    .map((text, at) => ({ text: text.trim(), at, place: Number(place[at] ?? at + 1) }))
    .filter(({ text, at }) => text !== '' && !drop.includes(String(at)))
    // Of two rows at one place the moved one comes first.
    .sort((a, b) => a.place - b.place || Number(b.at + 1 !== b.place) - Number(a.at + 1 !== a.place));
  const outline = {
    ...(theme.trim() === '' ? {} : { overallTheme: theme.trim().replace(/\s+/g, ' ') }),
    sections: rows.map(({ text, at }) => {
      const description = about[at]?.trim() ?? '';
      const read = parseBoundedJson(subsections[at] ?? '[]', SUBSECTION_BOUNDS);
      const below = z
        .array(z.string())
        .catch([])
        .parse(read.ok ? read.value : []);
      return {
        title: text,
        ...(description === '' ? {} : { description }),
        ...(below.length === 0 ? {} : { subsections: below }),
      };
    }),
  };
  return requireValid(GivenOutline.safeParse(outline));
}

const MAX_LATEST_RUNS = 10;

async function latestRuns({ client }: ServerContext, { owner }: Caller): Promise<LatestRuns[]> {
  const ended = (await client.list()).flatMap(({ closedAt, ...run }) =>
    run.owner === owner && closedAt !== null && (run.status === 'completed' || run.status === 'partial')
      ? [{ ...run, minutes: (Date.parse(closedAt) - Date.parse(run.startedAt)) / 60_000 }]
      : [],
  );
  return (['report', 'answer'] as const).flatMap((kind) => {
    const runs = ended.filter((run) => run.kind === kind).slice(0, MAX_LATEST_RUNS);
    if (runs.length === 0) return [];
    const costUsd = rangeOf(runs.map((run) => run.costUsd));
    return [{ kind, runs: runs.length, costUsd, minutes: rangeOf(runs.map(({ minutes }) => minutes)) }];
  });
}

function rangeOf(amounts: readonly number[]): [number, number] {
  return [Math.min(...amounts), Math.max(...amounts)];
}

const STEERING_ACTIONS = ['pause', 'resume', 'cancel'] as const;

const runPages: Routes = (app, face) => {
  app.get(
    '/runs/:runId',
    {
      config: { scope: 'read', page: true },
      schema: {
        hide: true,
        params: RunIdParams,
        querystring: z.object({ done: z.enum(STEERING_ACTIONS).optional().catch(undefined) }),
      },
    },
    async (request, reply) => {
      const viewer = viewerOf(request);
      const { done } = request.query;
      const told = done === undefined ? null : serverTexts.done[done];
      return sendPage(reply, runPage(viewer, { ...(await loadRunView(face, request)), told }));
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
    STEERING_ACTIONS.map((name): [string, Action] => [
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

const PAGE_SIZE = 50;

/** An empty field is no filter. */
const optionalFilter = <Value extends z.ZodType>(value: Value) =>
  z.union([z.literal('').transform(() => undefined), value]).optional();

const runListPages: Routes = (app, face) => {
  app.get(
    '/',
    {
      config: { scope: 'read', page: true },
      schema: {
        hide: true,
        querystring: z.object({
          kind: optionalFilter(RunKind),
          status: optionalFilter(RunStatus),
          search: optionalFilter(z.string().max(200)),
          cursor: z.string().max(2_000).optional(),
        }),
      },
    },
    async (request, reply) => {
      const { cursor, ...asked } = request.query;
      const { runs, next } = await listRunsPage(face, request.caller, { ...asked, cursor, limit: PAGE_SIZE });
      const waiting = await Promise.all(
        runs.map(async (run) => ({ ...run, wait: await waitReason(face, run) })),
      );
      const given = (['kind', 'status', 'search'] as const).flatMap((name): [string, string][] =>
        asked[name] === undefined ? [] : [[name, asked[name]]],
      );
      const older = next === null ? null : `/?${String(new URLSearchParams([...given, ['cursor', next]]))}`;
      return sendPage(reply, runListPage(viewerOf(request), { runs: waiting, older, asked }));
    },
  );
};

const BLOCKED_STATUSES: readonly RunStatus[] = [
  'queued',
  'waiting',
  'pausing',
  'paused',
  'awaiting-approval',
];

/** A path of this server, so that a link to the form cannot redirect to another site. */
const OwnPath = z.string().max(1_000).catch('/').transform(ownPath);

const OWN_ORIGIN = 'http://own.invalid';

function ownPath(given: string): string {
  const url = parseUrl(given, OWN_ORIGIN);
  if (url?.origin !== OWN_ORIGIN || !given.startsWith('/')) return '/';
  const path = `${url.pathname}${url.search}${url.hash}`;
  // Without its dot segments a path can begin with `//`, like the address of a site.
  return parseUrl(path, OWN_ORIGIN)?.origin === OWN_ORIGIN ? path : '/';
}

/** Browsers name the origin of the page of a form. */
function isOverTls({ headers: { origin } }: FastifyRequest): boolean {
  return origin !== undefined && origin.startsWith('https:');
}

/** Reads the records, so that a run without a worker does not delay the list. */
async function waitReason(
  { client }: ServerContext,
  { runId, status }: Omit<ListedRun, 'wait'>,
): Promise<ListedRun['wait']> {
  if (!BLOCKED_STATUSES.includes(status)) return null;
  try {
    return runSnapshot(await client.run(runId).progress({ fromRecords: true }), null).wait;
  } catch {
    // Deleted since it was listed.
    return null;
  }
}

const sessionPages: Routes = (app, { access, now }) => {
  const open = { scope: 'open', page: true } as const;

  app.get(
    '/sign-in',
    { config: open, schema: { hide: true, querystring: z.object({ to: OwnPath.default('/') }) } },
    async (request, reply) =>
      sendPage(reply, signInPage(viewerOf(request), { to: request.query.to, wasRefused: false })),
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
        return sendPage(reply, signInPage(viewerOf(request), { to, wasRefused: true }), 401);
      return reply.header('set-cookie', tokenCookie(token.trim(), isOverTls(request))).redirect(to, 303);
    },
  );

  app.post('/sign-out', { config: open, schema: { hide: true } }, async (request, reply) =>
    reply.header('set-cookie', clearedTokenCookie(isOverTls(request))).redirect('/sign-in', 303),
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
      const { told, warnings } = await estimateRunFor(face, request, parseRunForm(request.body));
      return { told: [told, ...warnings.map(({ message }) => message)].join(' ') };
    },
  );

  app.post(
    '/start',
    { config: { scope: 'run', page: true, uploads: 'form' }, schema: { hide: true, body: Form } },
    async (request, reply) => {
      const { key, ...form } = request.body;
      try {
        const { runId } = await startRunFor(face, request, parseRunForm(form), key);
        return await reply.redirect(runPath(runId), 303);
      } catch (error) {
        if (!(error instanceof InvalidSourcesError) || error.total === 0) throw error;
        const files = new Set(request.uploaded?.paths.map((path) => basename(path)));
        const latest = await latestRuns(face, request.caller);
        const page = startPage(viewerOf(request), { key, latest, form, unread: unreadSources(error, files) });
        return sendPage(reply, page, 422);
      }
    },
  );
};

/** Problems are of files if each is of another uploaded file, and not of records in one. */
function unreadSources(
  { problems, total, canSkip }: InvalidSourcesError,
  files: ReadonlySet<string>,
): UnreadSources {
  const unread = new Set(
    problems.flatMap(({ file, line }) => (files.has(file) && line === undefined ? [file] : [])),
  );
  return { lines: problems.map(problemLine), total, canSkip, areFiles: unread.size === problems.length };
}

/** Pages for people. The OpenAPI document does not contain them. */
export const PAGES: readonly Routes[] = [sessionPages, runListPages, runPages, outlinePages, startPages];

type Action = (run: RunHandle, face: ServerContext, request: Pick<FastifyRequest, 'body'>) => Promise<string>;

async function loadRunView(
  face: ServerContext,
  request: FastifyRequest & { params: z.infer<typeof RunIdParams> },
): Promise<Omit<RunView, 'told'>> {
  const { runId } = await ownRun(face, request);
  const soFar = await face.client.soFar(runId);
  const { status } = soFar.snapshot;
  if (!CLOSED_STATUSES.has(status)) {
    return { soFar, hasResult: false };
  }
  return { soFar, hasResult: status !== 'failed' };
}
