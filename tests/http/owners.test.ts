import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Asked, type HttpBench, jsonOf, openHttpBench } from '../support/http-bench';
import { SOURCES } from '../support/report-script';

describe('owners', () => {
  /** Every route is asked that the document has, so that one that comes later is looked at as well. */
  interface Operation {
    method: string;
    path: string;
    body: Schema | null;
  }

  interface Schema {
    $ref?: string;
    type?: string;
    const?: unknown;
    enum?: unknown[];
    anyOf?: Schema[];
    oneOf?: Schema[];
    items?: Schema;
    properties?: Record<string, Schema>;
    required?: string[];
  }

  interface Document {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
    components: { schemas: Record<string, Schema> };
  }

  /** Stands in what Ann asks, and so in all that is hers. */
  const SECRET = 'zebrafish';

  const KEY = 'the-key-of-ann';

  let face: HttpBench;

  let document: Document;

  let operations: Operation[];

  let [ann, bob] = ['', ''];

  /** What Bob may try in the place of each name of a path: what is Ann's, and what nobody has. */
  let names: Record<string, { hers: string; nobodys: string }>;

  async function post(
    token: string,
    path: string,
    body: unknown,
    headers = {},
  ): Promise<Record<string, string>> {
    const answer = await face.ask(path, { method: 'POST', token, body, headers });
    const told = await jsonOf<Record<string, string>>(answer);
    expect([path, answer.status, told]).toEqual([path, 201, told]);
    return told;
  }

  beforeAll(async () => {
    face = await openHttpBench();
    await face.bench.startWorker();
    ann = await face.tokenOf('ann', 'run');
    bob = await face.tokenOf('bob', 'run');
    const asked = { kind: 'report', question: `Do ${SECRET} sleep?`, sources: SOURCES };
    const { runId = '' } = await post(ann, '/v1/runs', asked, { 'idempotency-key': KEY });
    await (await face.ask(`/v1/runs/${runId}/events`, { token: ann })).text();
    const result = await jsonOf<{ claims: { id: string }[] }>(
      face.ask(`/v1/runs/${runId}/result`, { token: ann }),
    );
    // What Bob starts is to wait: nothing of it is worth waiting for.
    await face.bench.rest();
    const { name: schedule = '' } = await post(ann, '/v1/schedules', {
      name: 'nightly',
      times: { everyMs: 3_600_000 },
      run: asked,
    });
    const root = await face.tokenOf('root', 'admin');
    const { tokens } = await jsonOf<{ tokens: { id: string; owner: string }[] }>(
      face.ask('/v1/tokens', { token: root }),
    );
    names = {
      runId: { hers: runId, nobodys: 'report-nobodys' },
      beforeId: { hers: runId, nobodys: 'report-nobodys' },
      claimId: { hers: result.claims[0]?.id ?? '', nobodys: result.claims[0]?.id ?? '' },
      n: { hers: '1', nobodys: '1' },
      name: { hers: schedule, nobodys: 'nobodys-0123abcd' },
      id: { hers: tokens.find(({ owner }) => owner === 'ann')?.id ?? '', nobodys: 'nobodys' },
    };
    document = await jsonOf<Document>(face.ask('/openapi.json'));
    operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { requestBody }]) => ({
        method: method.toUpperCase(),
        path,
        body: requestBody?.content['application/json']?.schema ?? null,
      })),
    );
  });

  afterAll(() => face.close());

  /** Values that a schema describes, with names of Ann's where texts may stand. */
  function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
    if (schema.$ref !== undefined)
      return valuesOf(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
    if ('const' in schema) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return fc.oneof(...choices.map(valuesOf));
    switch (schema.type) {
      case 'object':
        return fc.record(
          Object.fromEntries(
            Object.entries(schema.properties ?? {}).map(([key, value]) => [key, valuesOf(value)]),
          ),
          { requiredKeys: schema.required ?? [] },
        );
      case 'array':
        return fc.array(valuesOf(schema.items ?? {}), { minLength: 1, maxLength: 3 });
      case 'string':
        return fc.oneof(
          fc.constantFrom(...Object.values(names).map(({ hers }) => hers), 'monday', 'https://example.org/a'),
          fc.string(),
        );
      case 'integer':
      case 'number':
        return fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.double());
      case 'boolean':
        return fc.boolean();
      default:
        return fc.jsonValue();
    }
  }

  /** What Bob may send to an operation: what its document says, or anything. */
  function requestsTo({ method, body }: Operation): fc.Arbitrary<Asked> {
    const asked = { method, token: bob, headers: { 'idempotency-key': KEY } };
    if (method === 'GET' || method === 'DELETE') return fc.constant({ method, token: bob });
    if (body === null) return fc.constant(asked);
    const bodies = fc.oneof(
      { weight: 4, arbitrary: valuesOf(body) },
      { weight: 1, arbitrary: fc.jsonValue() },
    );
    return bodies.map((value) => ({ ...asked, body: JSON.stringify(value) }));
  }

  const filled = (path: string, whose: 'hers' | 'nobodys'): string =>
    path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(names[name]?.[whose] ?? 'x'));

  async function told(path: string, asked: Asked): Promise<{ status: number; text: string }> {
    const answer = await face.ask(path, asked);
    const text = await answer.text();
    const { status } = answer;
    expect([asked.method, path, asked.body, status < 500]).toEqual([asked.method, path, asked.body, true]);
    if (status >= 400)
      expect([path, JSON.parse(text)]).toEqual([
        path,
        expect.objectContaining({ status, detail: expect.stringMatching(/\S/) }),
      ]);
    return { status, text };
  }

  const everythingOfHers = async (): Promise<unknown> =>
    Promise.all(
      [
        `/v1/runs/${names['runId']?.hers}`,
        `/v1/schedules/${names['name']?.hers}`,
        '/v1/runs',
        '/v1/schedules',
      ].map(async (path) => (await face.ask(path, { token: ann })).json()),
    );

  test('no route shows, steers, lists or deletes runs of others, and no input causes a server error', async () => {
    const before = await everythingOfHers();
    expect(operations.length).toBeGreaterThan(25);
    for (const operation of operations) {
      const { path, method } = operation;
      const isNamed = path.includes('{');
      const mayNotVary = operation.body === null ? 1 : 12;
      await fc.assert(
        fc.asyncProperty(requestsTo(operation), async (asked) => {
          const hers = await told(filled(path, 'hers'), asked);
          expect([method, path, hers.text.includes(SECRET)]).toEqual([method, path, false]);
          if (!isNamed) return;
          expect([method, path, hers.status < 400]).toEqual([method, path, false]);
          const nobodys = await told(filled(path, 'nobodys'), asked);
          expect([method, path, asNobodys(hers.text)]).toEqual([method, path, nobodys.text]);
        }),
        { numRuns: mayNotVary },
      );
    }
    expect(await everythingOfHers()).toEqual(before);
    expect(face.unforeseen).toEqual([]);
  });

  function asNobodys(text: string): string {
    return Object.values(names).reduce((sofar, { hers, nobodys }) => sofar.replaceAll(hers, nobodys), text);
  }
});

describe('known holes of other servers', () => {
  /** What peers and libraries fell to: each by what it must not do here. */
  let face: HttpBench;

  let ann: string;

  let operations: { method: string; path: string }[];

  const TOUCHED = join(tmpdir(), `colligate-touched-${process.pid}`);

  beforeAll(async () => {
    face = await openHttpBench();
    ann = await face.tokenOf('ann', 'run');
    const { paths } = await jsonOf<{ paths: Record<string, object> }>(face.ask('/openapi.json'));
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({
        method: method.toUpperCase(),
        path: path.replace(/\{\w+\}/g, 'some'),
      })),
    );
  });

  afterEach(async () => {
    const isTouched = existsSync(TOUCHED);
    await rm(TOUCHED, { force: true });
    expect([isTouched, face.unforeseen]).toEqual([false, []]);
  });

  afterAll(() => face.close());

  const ASKED = { kind: 'report', question: 'Which habits help?', sources: SOURCES };

  const OPEN = ['/healthz', '/readyz'];

  test('CVE-2026-5632: nothing is answered or done without a valid token', async () => {
    const hash = createHash('sha256').update(ann).digest('hex');
    const shown: Record<string, string>[] = [
      {},
      { authorization: 'Bearer ' },
      { authorization: `Bearer ${ann.slice(0, -1)}` },
      { authorization: `Bearer ${hash}` },
      { authorization: `Basic ${Buffer.from(`ann:${ann}`).toString('base64')}` },
      { authorization: ann },
      { cookie: 'colligate_token=' },
      { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', 'x-forwarded-user': 'admin' },
      { 'x-original-url': '/healthz', 'x-rewrite-url': '/healthz' },
    ];
    const guarded = [...operations, { method: 'POST', path: '/mcp' }].filter(
      ({ path }) => !OPEN.includes(path),
    );
    expect(guarded.length).toBeGreaterThan(25);
    for (const { method, path } of guarded)
      for (const headers of shown) {
        const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
        const { status } = await face.ask(path, { method, headers, ...body });
        expect([method, path, headers, status]).toEqual([method, path, headers, 401]);
      }
    for (const path of [
      `/v1/runs?token=${ann}`,
      '/v1/runs/',
      '//v1/runs',
      '/v1/./runs',
      '/healthz/../v1/runs',
    ])
      expect([path, (await face.ask(path)).status]).toEqual([path, 401]);
  });

  test('CVE-2026-45339: a token counts where it is looked for alone, and may the same by every way', async () => {
    const reader = await face.tokenOf('ann', 'read');
    for (const name of ['x-api-key', 'x-auth-token', 'x-access-token', 'api-key'])
      expect([name, (await face.ask('/v1/runs', { headers: { [name]: ann } })).status]).toEqual([name, 401]);
    const start = (headers: Record<string, string>): Promise<Response> =>
      face.ask('/v1/runs', { method: 'POST', body: ASKED, headers });
    const asCookie = { cookie: `colligate_token=${reader}`, origin: face.url };
    expect((await start({ authorization: `Bearer ${reader}` })).status).toBe(403);
    expect((await start(asCookie)).status).toBe(403);
    expect((await start({ ...asCookie, 'x-api-key': ann })).status).toBe(403);
  });

  test('CVE-2025-65720: nothing that is sent becomes a command', async () => {
    const shell = `"; touch ${TOUCHED}; $(touch ${TOUCHED}) \`touch ${TOUCHED}\` | touch ${TOUCHED} #`;
    const command = { command: 'touch', args: [TOUCHED] };
    const sent = [
      { ...ASKED, mcp_configs: [command], mcpServers: { a: command }, hooks: [command] },
      { ...ASKED, question: shell },
      { ...ASKED, sources: [{ title: shell, content: `It helps. ${shell}`, url: 'https://example.org/a' }] },
      { ...ASKED, engine: shell },
    ];
    for (const body of sent)
      expect((await face.ask('/v1/runs', { method: 'POST', token: ann, body })).status).toBeLessThan(500);
    const links = [`https://example.org/$(touch ${TOUCHED})`, `file:///bin/sh?touch+${TOUCHED}`];
    for (const link of links) {
      const body = { kind: 'report', question: 'Why?', links: [link] };
      const { status } = await face.ask('/v1/runs', { method: 'POST', token: ann, body });
      expect([link, status]).toEqual([link, 422]);
    }
  });

  test('CVE-2025-68664 and CVE-2025-68665: what says that it is an object of the program stays data', async () => {
    const constructed = {
      lc: 1,
      type: 'constructor',
      id: ['node:child_process', 'execSync'],
      kwargs: { a: TOUCHED },
    };
    const record = {
      title: JSON.stringify(constructed),
      content: `It helps. ${JSON.stringify(constructed)}`,
    };
    const body = `{"kind":"report","question":"Why?","sources":[${JSON.stringify(record)}],"__proto__":{"scope":"admin","owner":"root"},"constructor":{"prototype":{"scope":"admin"}}}`;
    const answer = await face.ask('/v1/runs', { method: 'POST', token: ann, body });
    expect(answer.status).toBeLessThan(500);
    expect(({} as { scope?: string }).scope).toBeUndefined();
    expect((await face.ask('/v1/tokens', { token: ann })).status).toBe(403);
    const wrong = { kind: 'report', question: constructed, sources: [constructed] };
    expect((await face.ask('/v1/runs', { method: 'POST', token: ann, body: wrong })).status).toBe(422);
  });

  test('CVE-2025-65108: front matter is read as what it says, and never run', async () => {
    const script = `{ css: require('node:fs').writeFileSync(${JSON.stringify(TOUCHED)}, '') }`;
    for (const opening of ['---js', '---javascript', '---coffee', '--- js']) {
      const markdown = `${opening}\n${script}\n---\n\nIt helps [1].\n\n## Sources\n\n[1] A note\n`;
      const verified = await face.ask('/v1/verify', {
        method: 'POST',
        token: ann,
        body: { markdown, sources: [{ title: 'A note', content: markdown }] },
      });
      expect([opening, verified.status]).toEqual([opening, 200]);
      const form = new FormData();
      form.set('request', JSON.stringify({ kind: 'report', question: 'Does it help?' }));
      form.set('files', new File([markdown], 'note.md'));
      const started = await face.ask('/v1/runs', { method: 'POST', token: ann, body: form });
      expect([opening, started.status]).toEqual([opening, 201]);
    }
  });

  test('CVE-2026-0621: an address that explodes is answered at once', async () => {
    const uri = `file:///${'{a,b*'.repeat(20_000)}${','.repeat(50_000)}`;
    const answer = await face.ask('/mcp', {
      method: 'POST',
      token: ann,
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } },
      signal: AbortSignal.timeout(10_000),
    });
    expect(answer.status).toBeLessThan(500);
    expect(await answer.text()).not.toContain('"result"');
  });
});
