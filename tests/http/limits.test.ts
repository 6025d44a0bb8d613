import { connectMcp, callTool } from '../support/mcp-client';
import { SOURCES } from '../support/report-script';
import { type HttpBench, jsonOf, openHttpBench } from '../support/http-bench';

let face: HttpBench;
beforeAll(async () => {
  face = await openHttpBench();
});
afterEach(() => expect(face.unforeseen).toEqual([]));
afterAll(() => face.close());

const ASKED = { kind: 'report', question: 'Which habits help?', sources: SOURCES };

function start(token: string, given: object = {}, key?: string): Promise<Response> {
  return face.ask('/v1/runs', {
    method: 'POST',
    token,
    body: { ...ASKED, ...given },
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });
}

test('a token asks as often in a second as it may, and is told when it may again', async () => {
  const token = await face.tokenOf('ann', 'read', { requestsPerSecond: 3 });
  const answers = await Promise.all(Array.from({ length: 12 }, () => face.ask('/v1/runs', { token })));
  const taken = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  expect(taken.length).toBeGreaterThanOrEqual(3);
  expect(refused.length).toBeGreaterThan(0);
  expect(taken.length + refused.length).toBe(12);
  expect(refused[0]?.headers.get('retry-after')).toBe('1');
  expect(await refused[0]?.json()).toMatchObject({
    status: 429,
    code: 'too-many-requests',
    detail: 'This token may ask 3 times a second.',
  });
  const another = await face.tokenOf('ann', 'read');
  expect((await face.ask('/v1/runs', { token: another })).status).toBe(200);
});

test('a token starts as many runs in a day as it may: by whatever door, each once, and none that was not started', async () => {
  const token = await face.tokenOf('bob', 'run', { runsPerDay: 2 });
  expect((await start(token, { question: '' })).status).toBe(422);
  expect((await start(token, { sources: [] })).status).toBe(422);
  expect((await start(token, {}, 'monday')).status).toBe(201);
  expect(await jsonOf(start(token, {}, 'monday'))).toMatchObject({ attached: true });
  // Neither another run under its key nor a bad request gives back what it took.
  expect((await start(token, { question: 'Which other habits help?' }, 'monday')).status).toBe(409);
  expect((await start(token, { sources: [] }, 'monday')).status).toBe(422);
  expect((await start(token)).status).toBe(201);
  const refused = await start(token);
  expect([refused.status, await refused.json()]).toEqual([
    429,
    expect.objectContaining({ detail: 'This token may start 2 runs in 24 hours.' }),
  ]);
  const agent = await connectMcp(face.url, { token });
  const { kind: _report, ...given } = ASKED;
  expect(await callTool(agent, 'start_report', given)).toMatchObject({
    isError: true,
    text: 'This token may start 2 runs in 24 hours.',
  });
  await agent.close();
  const scheduled = await face.ask('/v1/schedules', {
    method: 'POST',
    token,
    body: { name: 'nightly', times: { everyMs: 3_600_000 }, run: ASKED },
  });
  expect(scheduled.status).toBe(403);
});

test('no run costs more than its token lets it, when it is started or later', async () => {
  const token = await face.tokenOf('cat', 'run', { maxCostUsd: 2 });
  const refused = await start(token, { budget: { maxCostUsd: 2.5 } });
  expect([refused.status, await refused.json()]).toEqual([
    403,
    expect.objectContaining({ code: 'token-limit', detail: 'A run of this token may cost 2 USD at most.' }),
  ]);
  const worker = await face.bench.startWorker();
  const hold = face.bench.engine.hold('outline');
  for (const [given, limit] of [
    [{}, 2],
    [{ budget: { maxCostUsd: 0.5 } }, 0.5],
  ] as const) {
    const { runId } = await jsonOf<{ runId: string }>(start(token, given));
    await hold.reached;
    const run = face.bench.colligate.run(runId);
    expect((await run.steering()).limits).toMatchObject({ maxCostUsd: limit });
    const change = async (maxCostUsd: number | null): Promise<number> =>
      (await face.ask(`/v1/runs/${runId}/budget`, { method: 'PATCH', token, body: { maxCostUsd } })).status;
    expect([await change(null), await change(3), await change(1)]).toEqual([403, 403, 200]);
    const byForm = await fetch(`${face.url}/runs/${runId}/budget`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: `colligate_token=${token}`, origin: face.url },
      body: new URLSearchParams({ maxCostUsd: '', maxTokens: '' }),
    });
    expect(byForm.status).toBe(403);
    expect((await run.steering()).limits).toMatchObject({ maxCostUsd: 1 });
  }
  hold.release();
  await worker.drain();
});

test('whoever changes something is in the audit log before it is done, with what came of it; nobody’s secrets are', async () => {
  const token = await face.tokenOf('dan', 'run');
  const reader = await face.tokenOf('eve', 'read');
  const before = face.audited.length;
  const { runId } = await jsonOf<{ runId: string }>(start(token, { question: 'A secret question?' }));
  await face.ask('/v1/runs', { token });
  await face.ask(`/v1/runs/${runId}/cancel?why=a-secret`, { method: 'POST', token: reader });
  const entries = face.audited.slice(before);
  const path = '/v1/runs';
  expect(entries).toEqual([
    expect.objectContaining({ owner: 'dan', token: expect.any(String), method: 'POST', path }),
    expect.objectContaining({ method: 'POST', path, status: 201 }),
    expect.objectContaining({ method: 'POST', path: `${path}/${runId}/cancel`, status: 403 }),
  ]);
  expect(entries[1]).toMatchObject({ request: entries[0]?.request });
  expect(JSON.stringify(entries)).not.toMatch(new RegExp(`secret|${token}|${reader}`));
});

test('what cannot be told in the audit log is not done', async () => {
  const untold = await openHttpBench({ audit: () => Promise.reject(new Error('The disk is full.')) });
  try {
    const root = await untold.tokenOf('root', 'admin');
    expect((await untold.ask('/v1/runs', { method: 'POST', token: root, body: ASKED })).status).toBe(500);
    expect(await jsonOf(untold.ask('/v1/runs', { token: root }))).toEqual({ runs: [], next: null });
  } finally {
    await untold.close();
  }
});
