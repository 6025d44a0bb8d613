import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
} from 'node:http';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isProcessAlive } from '../../src/app/temporal/server-record';
import type { AccessEntry } from '../../src/http/request-log';
import { LIMITS } from '../../src/http/server-context';
import { sweepUploads } from '../../src/http/uploads';
import { type FaceWithoutServer, openFaceWithoutServer } from '../support/face-without-server';
import { untilTrue } from '../support/until';

/** A run that goes on for ever, and starts that succeed. */
const CLIENT = {
  runningOf: () => Promise.resolve(0),
  startReport: async () => ({ run: { runId: 'report-1' }, attached: false, warnings: [] }) as never,
  run: (runId: string) =>
    ({
      runId,
      owner: () => Promise.resolve('ann'),
      async *events({ signal }: { signal: AbortSignal }) {
        yield { number: 1, at: '', key: 'e', type: 'warning', payload: {} };
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    }) as never,
};

const FORM_START = [
  '--b',
  'content-disposition: form-data; name="request"',
  '',
  JSON.stringify({ kind: 'report', question: 'Does it help sleep?' }),
  '--b',
  'content-disposition: form-data; name="files"; filename="note.md"',
  '',
  'Sleep improved by 12 % in 40 adults.',
].join('\r\n');

interface Listening extends FaceWithoutServer {
  ask(
    path: string,
    options?: { method?: string; headers?: OutgoingHttpHeaders; token?: boolean },
  ): ClientRequest;
}

async function listen(options: Parameters<typeof openFaceWithoutServer>[0] = {}): Promise<Listening> {
  const face = await openFaceWithoutServer({ client: CLIENT, ...options });
  const url = new URL(await face.app.listen({ host: '127.0.0.1', port: 0 }));
  const authorization = `Bearer ${await face.tokenOf('ann')}`;
  const agent = new Agent({ keepAlive: true });
  return {
    ...face,
    ask: (path, { method = 'GET', headers = {}, token = true } = {}) =>
      request({
        agent,
        host: url.hostname,
        port: url.port,
        path,
        method,
        headers: { host: 'face.example', ...(token ? { authorization } : {}), ...headers },
      }),
  };
}

const upload = ({ ask }: Listening): ClientRequest =>
  ask('/v1/runs', { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=b' } });

/** The answer with its text, once it has ended. */
async function answerOf(asking: ClientRequest): Promise<{ status: number | undefined; text: string }> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    asking.on('response', resolve).on('error', reject),
  );
  let text = '';
  for await (const part of answer.setEncoding('utf8')) text += String(part);
  return { status: answer.statusCode, text };
}

/** Of this process: other test files upload at the same time. */
const uploads = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`colligate-upload-${hostname()}-${process.pid}-`));

test('an upload under way is answered when the face closes, nothing new is taken, and nothing is left', async () => {
  const face = await listen({ graceMs: 20_000 });
  const asking = upload(face);
  const answer = answerOf(asking);
  asking.write(FORM_START);
  await untilTrue(() => uploads().length === 1);
  const closed = face.app.close();
  const later = answerOf(face.ask('/healthz').end()).then(
    ({ status }) => status,
    () => 'refused',
  );
  expect([503, 'refused']).toContain(await later);
  asking.end('\r\n--b--\r\n');
  expect(await answer).toMatchObject({ status: 201, text: expect.stringContaining('report-1') });
  await closed;
  expect(uploads()).toEqual([]);
});

test('an upload that does not end is cut after the grace time, and its files are deleted', async () => {
  const face = await listen({ graceMs: 50, report: () => undefined });
  const asking = upload(face);
  const answer = answerOf(asking).catch((error: Error) => error.message);
  asking.write(FORM_START);
  await untilTrue(() => uploads().length === 1);
  await face.app.close();
  expect(await answer).toMatch(/hang up|reset|aborted/i);
  expect(uploads()).toEqual([]);
});

test('event streams end and say when to come back', async () => {
  const face = await listen({ graceMs: 20_000 });
  const asking = face.ask('/v1/runs/report-1/events').end();
  const answer = answerOf(asking);
  const stream = await new Promise<IncomingMessage>((resolve) => asking.on('response', resolve));
  expect(stream.statusCode).toBe(200);
  await face.app.close();
  const { text } = await answer;
  expect(text).toMatch(/^id: 1\n[\s\S]*\nretry: 2000\n\n$/);
});

test('a stream that was opened without a token ends with the first token', async () => {
  const face = await listen({ withoutToken: 'local' });
  face.access.kept = [];
  const asking = face.ask('/v1/runs/report-1/events', { token: false }).end();
  const answer = answerOf(asking);
  const stream = await new Promise<IncomingMessage>((resolve) => asking.on('response', resolve));
  expect(stream.statusCode).toBe(200);
  await face.tokenOf('bob');
  expect((await answer).text).toMatch(/^id: 1\n/);
  await face.app.close();
});

test('streams and uploads above the limit of an owner are refused until one has ended', async () => {
  const face = await listen({
    limits: { ...LIMITS, runs: 9, streams: 1, uploads: 1 },
    report: () => undefined,
  });
  const follow = (): ClientRequest => face.ask('/v1/runs/report-1/events').end();
  const first = follow();
  await new Promise((resolve) => first.on('response', resolve));
  expect((await answerOf(follow())).status).toBe(429);
  const sending = upload(face);
  sending.on('error', () => undefined).write(FORM_START);
  await untilTrue(() => uploads().length === 1);
  const second = upload(face);
  second.end(`${FORM_START}\r\n--b--\r\n`);
  expect((await answerOf(second)).status).toBe(429);
  first.destroy();
  sending.destroy();
  await untilTrue(() => uploads().length === 0);
  const third = upload(face);
  third.end(`${FORM_START}\r\n--b--\r\n`);
  expect((await answerOf(third)).status).toBe(201);
  const again = follow();
  const { statusCode } = await new Promise<IncomingMessage>((resolve) => again.on('response', resolve));
  expect(statusCode).toBe(200);
  again.destroy();
  await face.app.close();
});

test('a client that leaves before its stream opens holds no place', async () => {
  const logged: AccessEntry[] = [];
  let isAsked = false;
  let tellOwner = (): void => undefined;
  const owner = new Promise<string>((resolve) => (tellOwner = () => resolve('ann')));
  const run = (runId: string): never =>
    ({
      ...(CLIENT.run(runId) as object),
      owner: () => {
        isAsked = true;
        return owner;
      },
    }) as never;
  const face = await listen({
    client: { ...CLIENT, run },
    limits: { ...LIMITS, runs: 9, streams: 1 },
    logAccess: (entry) => logged.push(entry),
  });
  const follow = (): ClientRequest =>
    face
      .ask('/v1/runs/report-1/events')
      .on('error', () => undefined)
      .end();
  const early = follow();
  await untilTrue(() => isAsked);
  early.destroy();
  await untilTrue(() => logged.length === 1);
  expect(logged[0]).toMatchObject({ status: 499, aborted: true, remoteAddress: '127.0.0.1' });
  tellOwner();
  const later = follow();
  const { statusCode } = await new Promise<IncomingMessage>((resolve) => later.on('response', resolve));
  expect(statusCode).toBe(200);
  later.destroy();
  await face.app.close();
});

test('a start deletes the folders of uploads of killed processes, and no others', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'not-ours-'));
  const named = (host: string, pid: number): string =>
    join(tmpdir(), `colligate-upload-${host}-${pid}-Ab12Cd`);
  const NO_PID = 99_999_999;
  const [dead, alive, other, old, link, printed, printing] = [
    named(hostname(), NO_PID),
    named(hostname(), process.ppid),
    named('another-host', NO_PID),
    named('an-old-host', NO_PID),
    named(hostname(), NO_PID + 1),
    join(tmpdir(), 'colligate-print-Ab12Cd'),
    join(tmpdir(), 'colligate-print-Ef34Gh'),
  ];
  for (const folder of [dead, alive, other, old, printed, printing]) mkdirSync(folder);
  for (const folder of [old, printed]) utimesSync(folder, 0, 0);
  symlinkSync(elsewhere, link);
  await sweepUploads(isProcessAlive);
  expect([dead, old, printed].filter((path) => existsSync(path))).toEqual([]);
  const kept = [alive, other, link, printing, elsewhere];
  expect(kept.filter((path) => existsSync(path))).toEqual(kept);
  for (const path of [alive, other, link, printing]) rmSync(path, { recursive: true });
  await rm(elsewhere, { recursive: true });
});
