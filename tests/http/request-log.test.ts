import { toProblem } from '../../src/http/problem';
import type { AccessEntry } from '../../src/http/request-log';
import { type HttpBench, jsonOf, openHttpBench } from '../support/http-bench';
import { SOURCES } from '../support/report-script';
import { until } from '../support/until';

describe('observing the HTTP server', () => {
  const entries: AccessEntry[] = [];
  let face: HttpBench;
  let reader: string;

  beforeAll(async () => {
    face = await openHttpBench({ logAccess: (entry) => entries.push(entry) });
    reader = await face.tokenOf('ann', 'read');
  });
  afterAll(() => face.close());

  /** The entry of the request that got this answer. */
  async function entryOf(answer: Response): Promise<AccessEntry> {
    const id = answer.headers.get('x-request-id');
    await answer.arrayBuffer();
    const [entry] = await until(
      async () => entries.filter(({ requestId }) => requestId === id),
      (found) => found.length === 1,
    );
    if (entry === undefined) throw new Error(`No entry of request ${id}`);
    return entry;
  }

  async function metrics(): Promise<string> {
    const answer = await face.ask('/metrics', { token: reader });
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    return answer.text();
  }

  test('each request has an id of its own, in its answer and in the access log', async () => {
    const forged = { 'x-request-id': 'forged' };
    const answers = await Promise.all([
      face.ask('/healthz', { headers: forged }),
      face.ask('/v1/runs?limit=1', { token: reader, headers: forged }),
      face.ask('/v1/runs', { headers: forged }),
      face.ask('/nowhere', { token: reader, headers: forged }),
    ]);
    const logged = await Promise.all(answers.map(entryOf));
    expect(new Set(logged.map(({ requestId }) => requestId)).size).toBe(4);
    expect(logged.map(({ requestId }) => requestId)).not.toContain('forged');
    expect(logged.map(({ path, status, aborted }) => [path, status, aborted])).toEqual([
      ['/healthz', 200, false],
      ['/v1/runs', 200, false],
      ['/v1/runs', 401, false],
      ['/nowhere', 404, false],
    ]);
    expect(logged.map(({ token }) => token === null)).toEqual([true, false, true, false]);
    expect(JSON.stringify(logged)).not.toContain(reader);
    for (const { ms } of logged) expect(ms).toBeGreaterThanOrEqual(0);
  });

  test('an open event stream is counted, and logged when its client leaves', async () => {
    const runner = await face.tokenOf('ann', 'run');
    const body = { kind: 'report', question: 'Does it help?', sources: SOURCES };
    const started = await face.ask('/v1/runs', { method: 'POST', token: runner, body });
    const { runId } = await jsonOf<{ runId: string }>(started);
    const gone = new AbortController();
    const stream = await face.ask(`/v1/runs/${runId}/events`, { token: reader, signal: gone.signal });
    expect(stream.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    expect(await metrics()).toMatch(/^colligate_http_event_streams 1$/m);
    gone.abort();
    await until(metrics, (text) => /^colligate_http_event_streams 0$/m.test(text));
    const id = stream.headers.get('x-request-id');
    expect(entries.find(({ requestId }) => requestId === id)).toMatchObject({ status: 200, aborted: true });
    expect(await metrics()).not.toMatch(/duration_seconds_count\{[^}]*events/);
  });

  test('metrics need a token, and name routes instead of runs', async () => {
    expect((await face.ask('/metrics')).status).toBe(401);
    await entryOf(await face.ask('/v1/runs/a-secret-run/outline', { token: reader }));
    const text = await metrics();
    expect(text).toMatch(
      /colligate_http_request_duration_seconds_count\{method="GET",route="\/v1\/runs\/:runId\/outline",status="404"\} 1/,
    );
    expect(text).toMatch(/^colligate_http_requests_in_progress 1$/m);
    expect(text).not.toContain('a-secret-run');
  });

  test('an error that no rule covers names its request, and nothing else', () => {
    const { status, detail } = toProblem(new Error('ENOENT /secret/path'), 'request-7');
    expect(status).toBe(500);
    expect(detail).toContain('request-7');
    expect(detail).not.toContain('secret');
  });
});
