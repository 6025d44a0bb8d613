import { temporal } from '@temporalio/proto';
import { type Config, loadConfig } from '../../../src/app/config';
import { serveCodec } from '../../../src/app/temporal/codec-server';
import { dataConverter, payloadCodec } from '../../../src/app/temporal/payload-encryption';
import { connectClient } from '../../../src/app/temporal/temporal-connection';
import { createColligateClient, type ReportRequest, type RunHandle } from '../../../src/client';
import { reaches } from '../../support/follow-run';
import { forAllTests } from '../../support/for-all-tests';
import { openRunBench } from '../../support/run-bench';
import { until } from '../../support/until';

const OLD = `old:${Buffer.alloc(32, 1).toString('base64')}`;
const NEW = `new:${Buffer.alloc(32, 2).toString('base64')}`;
const QUESTION = 'Which canary habits help?';

const encryptionOf = (...keys: string[]): Pick<Config, 'encryption'> =>
  loadConfig({ cwd: '/', env: keys.length === 0 ? {} : { COLLIGATE_ENCRYPTION_KEYS: keys.join(',') } });

const bench = forAllTests(() => openRunBench({ env: { COLLIGATE_ENCRYPTION_KEYS: OLD } }));

/** The keys of the worker that runs; null where none does. */
let working: string | null = null;

/** A worker that has these keys; those of the bench where none are named. */
async function workWith(...keys: string[]): Promise<void> {
  bench.play();
  if (working === keys.join()) return;
  await bench.rest();
  working = keys.join();
  await bench.startWorker(undefined, undefined, keys.length === 0 ? {} : { settings: encryptionOf(...keys) });
}

const start = (runId: string, given: Partial<ReportRequest> = {}): Promise<RunHandle> =>
  bench.report(runId, { question: QUESTION, ...given });

/** Whoever has these keys, on the same server and stores. */
async function clientWith(...keys: string[]): Promise<{
  client: Awaited<ReturnType<typeof connectClient>>['client'];
  colligate: ReturnType<typeof createColligateClient>;
  close: () => Promise<void>;
}> {
  const { config, target, stores } = bench;
  const { client, connection } = await connectClient(target, {
    dataConverter: dataConverter(encryptionOf(...keys)),
  });
  const colligate = createColligateClient({ ...stores, client, taskQueue: config.temporal.taskQueue });
  return { client, colligate, close: () => connection.close() };
}

/** The history as the server has it, as JSON. */
async function rawHistory(runId: string): Promise<string> {
  const history = await bench.client.workflow.getHandle(runId).fetchHistory();
  const { History } = temporal.api.history.v1;
  return JSON.stringify(History.toObject(History.create(history), { bytes: String, enums: String }));
}

interface RawPayload {
  metadata: Record<string, string>;
  data?: string;
}

/** Every payload in it that is no search attribute; what it is of, its encoding and its key. */
function payloadsIn(value: unknown, name = ''): RawPayload[] {
  if (typeof value !== 'object' || value === null || name === 'searchAttributes') return [];
  if ('metadata' in value && typeof value.metadata === 'object') return [value as RawPayload]; // as protobuf writes it
  return Object.entries(value).flatMap(([key, part]) => payloadsIn(part, key));
}

const metadataIn = (payload: RawPayload, name: string): string =>
  Buffer.from(payload.metadata[name] ?? '', 'base64').toString();

/** What of a history can be read without a key: markers of the SDK (patches), which have no content of a run. */
const readableIn = (history: string): string[] =>
  payloadsIn(JSON.parse(history))
    .filter((payload) => metadataIn(payload, 'encoding') !== 'binary/encrypted')
    .map(({ data = '' }) => Buffer.from(data, 'base64').toString());

const encodingsIn = (value: unknown): string[] => [
  ...new Set(payloadsIn(value).map((payload) => metadataIn(payload, 'encoding'))),
];

describe('a run whose payloads are encrypted', () => {
  it('leaves nothing on the server that can be read, and is followed as any other', async () => {
    await workWith();
    const run = await start('hidden');
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    expect((await run.progress()).status).toBe('completed');
    const history = await rawHistory('hidden');
    expect(payloadsIn(JSON.parse(history)).length).toBeGreaterThan(30);
    expect(readableIn(history).join('\n')).not.toMatch(/canary|[0-9a-f]{64}/);
    expect(history).not.toContain('canary');
    const described = await bench.client.workflow.getHandle('hidden').describe();
    expect(await described.staticSummary()).toContain(QUESTION);
    const { workflowExecutionInfo, executionConfig } = described.raw;
    expect(JSON.stringify([workflowExecutionInfo?.memo, executionConfig?.userMetadata])).not.toContain(
      'canary',
    );
    const memo = Object.values(workflowExecutionInfo?.memo?.fields ?? {});
    expect(memo.map(({ metadata }) => Buffer.from(metadata?.['encoding'] ?? []).toString())).toEqual(
      memo.map(() => 'binary/encrypted'),
    );
    expect(memo.length).toBeGreaterThan(3);
  });

  it('hides what a schedule holds and what messages say, and has both done', async () => {
    await workWith();
    const { runId: _unused, ...report } = bench.request({ question: QUESTION });
    const schedule = await bench.colligate.createSchedule({
      name: 'hidden-yearly',
      times: { cron: '0 9 1 1 *' },
      run: { report },
    });
    await schedule.trigger();
    const { firings } = await until(
      () => schedule.describe(),
      (now) => now.firings[0]?.status === 'completed',
    );
    const { workflowService, options } = bench.client;
    const kept = await workflowService.describeSchedule({
      namespace: options.namespace,
      scheduleId: 'hidden-yearly',
    });
    const { DescribeScheduleResponse } = temporal.api.workflowservice.v1;
    const ofSchedule = DescribeScheduleResponse.toObject(DescribeScheduleResponse.create(kept), {
      bytes: String,
      enums: String,
    });
    expect(encodingsIn(ofSchedule)).toEqual(['binary/encrypted']);
    await schedule.delete();

    const runId = 'told-in-secret';
    const run = await start(runId, { approval: { timeoutMs: 600_000 } });
    await reaches(run, 'awaiting-approval');
    await run.approveOutline();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    for (const id of [firings[0]?.runId ?? '', runId])
      expect(readableIn(await rawHistory(id)).join('\n')).not.toMatch(/canary/);
  });

  it('goes on over the rotation of keys, and one from before encryption goes on as well', async () => {
    const plain = await clientWith();
    await bench.rest();
    working = null;
    const first = await bench.startWorker(undefined, undefined, { settings: encryptionOf() });
    const hold = bench.play().hold('outline');
    await plain.colligate.startReport(bench.request({ runId: 'from-before', question: QUESTION }));
    await hold.reached;
    hold.release();
    await first.drain();
    await workWith(NEW, OLD);
    const rotated = await clientWith(NEW, OLD);
    await start('rotated');
    for (const runId of ['from-before', 'rotated'])
      expect(await rotated.colligate.run(runId).waitUntilClosed()).toEqual({ status: 'completed' });
    const ids = (history: string): Set<string> =>
      new Set(payloadsIn(JSON.parse(history)).map((payload) => metadataIn(payload, 'encryption-key-id')));
    expect(ids(await rawHistory('from-before'))).toContain('new');
    expect(ids(await rawHistory('rotated'))).toEqual(new Set(['old', 'new']));
    expect((await rotated.colligate.run('rotated').report())?.report.question).toBe(QUESTION);
    await plain.close();
    await rotated.close();
  });
});

describe('the codec endpoint', () => {
  const UI = 'http://localhost:8233';

  const serve = (key: string): ReturnType<typeof serveCodec> =>
    serveCodec({
      codec: payloadCodec(encryptionOf(key)),
      host: '127.0.0.1',
      port: 0,
      origins: [UI],
      token: null,
    });

  it('shows the Web UI what a history holds, and nobody else', async () => {
    const { url, close } = await serve(OLD);
    const [given] = payloadsIn(JSON.parse(await rawHistory('hidden')));
    const ask = (way: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`${url}${way}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: UI, 'x-namespace': 'default', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
    const asked = await fetch(`${url}/decode`, {
      method: 'OPTIONS',
      headers: { origin: UI, 'access-control-request-method': 'POST' },
    });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe(UI);
    expect(asked.headers.get('access-control-allow-headers')).toContain('x-namespace');

    const shown = await ask('/decode', { payloads: [given] });
    expect(shown.headers.get('access-control-allow-origin')).toBe(UI);
    const { payloads } = (await shown.json()) as { payloads: RawPayload[] };
    expect(JSON.parse(Buffer.from(payloads[0]?.data ?? '', 'base64').toString())).toMatchObject({
      question: QUESTION,
    });
    const back = (await (await ask('/default/encode', { payloads })).json()) as { payloads: RawPayload[] };
    expect(metadataIn(back.payloads[0] ?? { metadata: {} }, 'encryption-key-id')).toBe('old');

    const foreign = await ask('/decode', { payloads: [given] }, { origin: 'http://elsewhere.example' });
    expect(foreign.status).toBe(403);
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
    expect(await foreign.text()).not.toContain('canary');
    expect((await ask('/decode', '{}')).status).toBe(400);
    expect((await ask('/decode', 'payloads', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await ask('/keys', { payloads: [] })).status).toBe(404);
    expect((await fetch(`${url}/decode`)).status).toBe(405);
    expect(
      (await ask('/decode', `"${'a'.repeat(17 * 1024 * 1024)}"`).catch(() => ({ status: 413 }))).status,
    ).toBe(413);
    await close();

    const other = await serve(NEW);
    const refused = await fetch(`${other.url}/decode`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ payloads: [given] }),
    });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('\\"old\\"');
    await other.close();
  });
});
