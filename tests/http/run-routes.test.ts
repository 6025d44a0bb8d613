import { readFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { openApiText } from '../../scripts/published-schemas';
import { packageVersion } from '../../src/app/package-version';
import { openApiDocument } from '../../src/http/server';
import { type HttpBench, jsonOf, openHttpBench } from '../support/http-bench';
import { REPORT_SCRIPT, SOURCES } from '../support/report-script';
import { until } from '../support/until';

describe('runs', () => {
  let face: HttpBench;

  let ann: string;

  let bob: string;

  let reader: string;

  let root: string;

  beforeAll(async () => {
    face = await openHttpBench();
    await face.bench.startWorker();
    ann = await face.tokenOf('ann', 'run');
    bob = await face.tokenOf('bob', 'run');
    reader = await face.tokenOf('ann', 'read');
    root = await face.tokenOf('root', 'admin');
  });

  afterAll(() => face.close());

  /** A page of the list. */
  interface Listed {
    runs: { runId: string }[];
    next: string | null;
  }

  const REPORT = { kind: 'report', question: 'Does it help?', sources: SOURCES };

  async function started(token: string, key?: string): Promise<string> {
    const answer = await face.ask('/v1/runs', {
      method: 'POST',
      token,
      body: REPORT,
      ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    });
    const body = await jsonOf<{ runId: string }>(answer);
    expect([answer.status, body]).toEqual([201, expect.objectContaining({ runId: expect.any(String) })]);
    return body.runId;
  }

  async function seen(token: string): Promise<string[]> {
    const { runs } = await jsonOf<Listed>(face.ask('/v1/runs', { token }));
    return runs.map(({ runId }) => runId);
  }

  /** Waits until the server lists these runs: a run that was started is listed a moment later. */
  async function listedOnce(token: string, runIds: string[]): Promise<void> {
    await until(
      () => seen(token),
      (listed) => runIds.every((runId) => listed.includes(runId)),
    );
  }

  /** The events of a run as a reader of the stream gets them. */
  async function eventsOf(
    runId: string,
    token: string,
    headers: Record<string, string> = {},
  ): Promise<{ id: number; type: string }[]> {
    const answer = await face.ask(`/v1/runs/${runId}/events`, { token, headers });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    const text = await answer.text();
    return text
      .split('\n\n')
      .filter((event) => event.startsWith('id: '))
      .map((event) => ({
        id: Number(/^id: (\d+)/.exec(event)?.[1]),
        type: /\nevent: (.+)/.exec(event)?.[1] ?? '',
      }));
  }

  test('a run is started, followed, fetched and deleted', async () => {
    const runId = await started(ann);
    const events = await eventsOf(runId, ann);
    expect(events.map(({ id }) => id)).toEqual(events.map((_, at) => at + 1));
    expect(events[0]?.type).toBe('run-started');
    expect(events.at(-1)?.type).toBe('run-completed');
    expect(await eventsOf(runId, ann, { 'last-event-id': '3' })).toEqual(events.slice(3));

    const progress = await (await face.ask(`/v1/runs/${runId}`, { token: reader })).json();
    expect(progress).toMatchObject({ runId, kind: 'report', status: 'completed' });
    const markdown = await face.ask(`/v1/runs/${runId}/result?format=md`, { token: reader });
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await markdown.text()).toContain('## Executive Summary');

    expect((await face.ask(`/v1/runs/${runId}`, { method: 'DELETE', token: reader })).status).toBe(403);
    expect((await face.ask(`/v1/runs/${runId}`, { method: 'DELETE', token: ann })).status).toBe(204);
    expect((await face.ask(`/v1/runs/${runId}`, { token: ann })).status).toBe(404);
  });

  test('ten starts with one key at once, and one behind its end, are one run; another owner has another', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => started(ann, 'monday')));
    expect(new Set(ids).size).toBe(1);
    await eventsOf(ids[0] ?? '', ann);
    expect(await started(ann, 'monday')).toBe(ids[0]);
    expect(await started(bob, 'monday')).not.toBe(ids[0]);
  });

  test('the list has the runs of its owner, and all runs for an administrator', async () => {
    const runId = await started(ann);
    const other = await started(bob);
    await listedOnce(root, [runId, other]);
    expect(await seen(bob)).not.toContain(runId);
    expect(await seen(ann)).not.toContain(other);
  });

  test('the list goes page by page, and is narrowed', async () => {
    await listedOnce(ann, await Promise.all([started(ann), started(ann)]));
    const pages: string[] = [];
    let next: string | null = '';
    while (next !== null) {
      const cursor: string = next === '' ? '' : `&cursor=${encodeURIComponent(next)}`;
      const page: Listed = await jsonOf(face.ask(`/v1/runs?limit=1${cursor}`, { token: ann }));
      expect(page.runs).toHaveLength(1);
      pages.push(...page.runs.map(({ runId }) => runId));
      next = page.next;
    }
    const whole = await jsonOf<Listed>(face.ask('/v1/runs', { token: ann }));
    expect(pages).toEqual(whole.runs.map(({ runId }) => runId));
    expect(await jsonOf(face.ask('/v1/runs?search=zebra', { token: ann }))).toEqual({ runs: [], next: null });
  });

  test('requests without a valid token, or from another host or origin, are rejected', async () => {
    const problem = async (answer: Response): Promise<unknown> => {
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
      const { status, code } = await jsonOf<{ status: number; code: string }>(answer);
      return [status, code];
    };
    expect(await problem(await face.ask('/v1/runs'))).toEqual([401, 'token']);
    expect(await problem(await face.ask('/v1/runs', { token: 'colligate_guessed' }))).toEqual([401, 'token']);
    expect(await problem(await face.ask('/v1/tokens', { token: ann }))).toEqual([403, 'scope']);
    expect(await problem(await face.ask('/nothing', {}))).toEqual([401, 'token']);
    expect(await problem(await face.ask('/nothing', { token: ann }))).toEqual([404, 'no-such-path']);
    expect(
      await problem(await face.ask('/v1/runs', { token: ann, headers: { origin: 'https://evil.example' } })),
    ).toEqual([403, 'origin']);
    expect(await statusWithHost('evil.example')).toBe(421);

    const made = await jsonOf<{ id: string; token: string }>(
      face.ask('/v1/tokens', { method: 'POST', token: root, body: { owner: 'cy', scope: 'read' } }),
    );
    expect((await face.ask('/v1/runs', { token: made.token })).status).toBe(200);
    const listed = await (await face.ask('/v1/tokens', { token: root })).text();
    expect(listed).toContain(made.id);
    expect(listed).not.toContain(made.token);
    expect((await face.ask(`/v1/tokens/${made.id}`, { method: 'DELETE', token: root })).status).toBe(204);
    expect((await face.ask('/v1/runs', { token: made.token })).status).toBe(401);
  });

  function statusWithHost(host: string): Promise<number | undefined> {
    const { hostname, port } = new URL(face.url);
    return new Promise((resolve, reject) => {
      plainRequest({ hostname, port, path: '/healthz', headers: { host } }, ({ statusCode }) =>
        resolve(statusCode),
      )
        .on('error', reject)
        .end();
    });
  }

  test('invalid input is reported in sentences, and nothing is started', async () => {
    const bad: [unknown, number][] = [
      ['{', 400],
      ['', 400],
      [{}, 422],
      [{ kind: 'sonnet', question: 'Why?', sources: SOURCES }, 422],
      [{ ...REPORT, question: '' }, 422],
      [{ ...REPORT, sources: [] }, 422],
      [{ ...REPORT, sources: [{ content: ' ' }] }, 422],
      [{ ...REPORT, engine: 'openai' }, 422],
      [{ ...REPORT, budget: { maxTokens: -1 } }, 422],
    ];
    for (const [body, status] of bad) {
      const answer = await face.ask('/v1/runs', { method: 'POST', token: bob, body });
      const told = await jsonOf<{ detail: string }>(answer);
      expect([body, answer.status, typeof told.detail]).toEqual([body, status, 'string']);
    }
    expect(face.unforeseen).toEqual([]);
  });

  test('every operation is in the document', async () => {
    const document = await jsonOf<{ openapi: string; paths: object }>(face.ask('/openapi.json'));
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/v1/runs', '/v1/runs/{runId}', '/v1/runs/{runId}/events', '/v1/tokens']),
    );
  });
});

describe('streams and broken requests', () => {
  let face: HttpBench;

  beforeAll(async () => {
    face = await openHttpBench();
  });

  afterAll(() => face.close());

  async function startedBy(token: string): Promise<string> {
    const { runId } = await jsonOf<{ runId: string }>(
      face.ask('/v1/runs', {
        method: 'POST',
        token,
        body: { kind: 'report', question: 'Does it help?', sources: SOURCES },
      }),
    );
    return runId;
  }

  test('a revoked token ends a running stream before the next event', async () => {
    const engine = face.bench.play(REPORT_SCRIPT);
    const hold = engine.hold('outline');
    await face.bench.startWorker();
    const root = await face.tokenOf('root', 'admin');
    const ann = await face.tokenOf('ann', 'run');
    const runId = await startedBy(ann);
    await hold.reached;
    const answer = await face.ask(`/v1/runs/${runId}/events`, { token: ann });
    let read = '';
    const reading = (async () => {
      for await (const bytes of answer.body ?? []) read += Buffer.from(bytes).toString('utf8');
    })();
    await until(
      async () => read,
      (text) => text.includes('event: run-started'),
    );
    const { tokens } = await jsonOf<{ tokens: { id: string; owner: string }[] }>(
      face.ask('/v1/tokens', { token: root }),
    );
    const id = tokens.find(({ owner }) => owner === 'ann')?.id ?? '';
    expect((await face.ask(`/v1/tokens/${id}`, { method: 'DELETE', token: root })).status).toBe(204);
    hold.release();
    await reading;
    expect(read).not.toContain('event: run-completed');
    const whole = await (await face.ask(`/v1/runs/${runId}/events`, { token: root })).text();
    expect(whole).toContain('event: run-completed');
    expect(whole.startsWith(read.replace(/(?:: \n\n)+/g, ''))).toBe(true);
  });

  test('no request causes a server error', async () => {
    const ann = await face.tokenOf('ann', 'admin');
    const odd = [
      '',
      '%',
      '%00',
      '..%2f..',
      'a'.repeat(5_000),
      '💥',
      '%E0%A4%A',
      'x?format=exe',
      'x?format[]=md',
    ];
    const paths = odd.flatMap((text) => [
      `/v1/runs/${text}`,
      `/v1/runs/${text}/result`,
      `/v1/runs/${text}/events`,
    ]);
    const bodies = [
      'null',
      '[]',
      '{"__proto__":{"x":1}}',
      '{"kind":"report"}',
      `{"a":${'['.repeat(5_000)}`,
      '\u0000',
    ];
    for (const path of [...paths, '/v1/runs?limit=1e9', '/v1/runs?cursor=%00', '/v1/tokens/%00']) {
      const answer = await face.ask(encodeURI(path).replaceAll('%25', '%'), { token: ann });
      await answer.text();
      expect([path.slice(0, 40), answer.status < 500]).toEqual([path.slice(0, 40), true]);
    }
    for (const body of bodies)
      for (const path of ['/v1/runs', '/v1/tokens', '/v1/runs/x/sources', '/v1/runs/x/outline/approval']) {
        const answer = await face.ask(path, { method: 'POST', token: ann, body });
        const told = await jsonOf<{ detail?: string }>(answer);
        expect([
          path,
          body.slice(0, 30),
          answer.status >= 400 && answer.status < 500,
          typeof told.detail,
        ]).toEqual([path, body.slice(0, 30), true, 'string']);
      }
    expect(face.unforeseen).toEqual([]);
  });

  test('bytes that are no HTTP end their own connection alone', async () => {
    const { hostname, port } = new URL(face.url);
    const said = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect({ host: hostname, port: Number(port) }, () => socket.write('SSH-2.0-x\r\n\r\n'));
      socket.on('data', (bytes) => (text += bytes.toString('latin1')));
      socket.on('error', reject).on('close', () => resolve(text));
    });
    expect(said).toMatch(/^HTTP\/1\.1 400/);
    expect((await face.ask('/healthz')).status).toBe(200);
  });
});

describe('the OpenAPI document', () => {
  test('the committed document is what the routes give; `npm run schemas` writes it anew', async () => {
    const committed = readFileSync(join(__dirname, '..', '..', 'docs', 'openapi.json'), 'utf8');
    expect(committed).toBe(openApiText(await openApiDocument(packageVersion())));
  });
});
