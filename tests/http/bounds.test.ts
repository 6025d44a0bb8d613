import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { type HttpBench, jsonOf, openHttpBench } from '../support/http-bench';
import { untilTrue } from '../support/until';

let face: HttpBench;
let ann: string;
beforeAll(async () => {
  face = await openHttpBench();
  ann = await face.tokenOf('ann', 'run');
});
afterAll(() => face.close());

const RUN = { kind: 'report', question: 'Does it help?' };
const NOTE = {
  title: 'A note on sleep',
  url: 'https://example.org/a',
  content: 'Sleep improved by 12 % in 40 adults.',
};

function upload(name: string, content: string, asked: object = RUN): FormData {
  const form = new FormData();
  form.set('request', JSON.stringify(asked));
  form.append('files', new Blob([content]), name);
  return form;
}

interface Told {
  detail: string;
  problems?: string[];
}

const start = (body: unknown, token = ann, signal?: AbortSignal): Promise<Response> =>
  face.ask('/v1/runs', { method: 'POST', token, body, ...(signal === undefined ? {} : { signal }) });
const verify = (markdown: string, signal?: AbortSignal): Promise<Response> =>
  face.ask('/v1/verify', {
    method: 'POST',
    token: ann,
    body: { markdown, sources: [NOTE] },
    ...(signal === undefined ? {} : { signal }),
  });

const many = (text: string, size: number): string =>
  text.repeat(Math.ceil(size / text.length)).slice(0, size);

/** Processes of this one that parse. */
function parsers(): number[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
  return children
    .split(' ')
    .filter((pid) => pid !== '')
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('parser-main'))
    .map(Number);
}

describe('a body with too much in it', () => {
  it.each([
    ['that says that it is JSON', 'application/json'],
    ['of another type', 'application/octet-stream'],
  ])('is refused as a field of an upload %s', async (_name, type) => {
    const sent = async (json: string): Promise<Response> => {
      const form = new FormData();
      form.set('request', new Blob([json], { type }));
      form.append('files', new Blob([NOTE.content]), 'note.md');
      return start(form);
    };
    expect((await sent(`[${'{},'.repeat(900_000)}{}]`)).status).toBe(413);
    expect((await sent(`${'['.repeat(1_000_000)}`)).status).toBe(413);
    expect((await sent(JSON.stringify(RUN))).status).toBe(201);
  });

  it.each([
    ['wrong items', `{"kind":"report","question":"Why?","sources":[${'1,'.repeat(900_000)}1]}`, 413],
    ['wrong links', `{"kind":"report","question":"Why?","links":[${'{},'.repeat(900_000)}{}]}`, 413],
    ['keys', `{"kind":"report",${Array.from({ length: 300_000 }, (_, n) => `"k${n}":1`).join(',')}}`, 413],
    ['lists', `{"kind":"report","question":"Why?","sources":${'['.repeat(5_000)}`, 413],
    ['items that are a few', `{"kind":"report","question":"Why?","sources":[${'1,'.repeat(9_000)}1]}`, 422],
    [
      'wrong places within sources',
      `{"kind":"report","question":"Why?","sources":[${`{"content":"a","pages":[${'1,'.repeat(9_000)}1]},`.repeat(30)}{}]}`,
      413,
    ],
  ])('is refused in words: %s', async (_name, body, status) => {
    const answer = await start(body);
    const told = await jsonOf<Told>(answer);
    expect([answer.status, told.detail]).toEqual([
      status,
      expect.stringMatching(/more than|too many|sources/),
    ]);
    expect(JSON.stringify(told).length).toBeLessThan(20_000);
    expect(face.unforeseen).toEqual([]);
  });

  test('may have 10,000 sources of ten fields', async () => {
    const source = {
      id: '',
      author: 'A',
      site: 'B',
      publishedAt: '2020',
      accessedAt: '2021-01-01T00:00:00Z',
    };
    const more = {
      license: 'C',
      language: 'en',
      mediaType: 'text/plain',
      content: 'Sleep improved by 12 %.',
    };
    const sources = Array.from({ length: 10_000 }, (_, n) => ({
      ...source,
      ...more,
      id: `s${n}`,
      title: `A note on sleep ${n}`,
    }));
    const markdown = 'Sleep improved by 12 % [1].\n\n## Sources\n\n1. A note on sleep 1\n';
    const answer = await face.ask('/v1/verify', { method: 'POST', token: ann, body: { markdown, sources } });
    expect([answer.status, answer.status === 200 ? '' : await answer.text()]).toEqual([200, '']);
  });

  test('beside files it is bounded as well, whatever type the field says', async () => {
    for (const type of ['text/plain', 'application/json']) {
      const form = new FormData();
      form.set('request', new Blob([`{"kind":"report","sources":[${'1,'.repeat(20_000)}1]}`], { type }));
      form.append('files', new Blob(['a']), 'a.md');
      expect((await start(form)).status).toBeGreaterThanOrEqual(400);
    }
    expect(face.unforeseen).toEqual([]);
  });
});

describe('a text to verify', () => {
  it.each([
    ['marks without an end', many('x [1] ', 2_000_000)],
    ['ranges', many('[1-199] ', 1_900_000)],
    ['paragraphs', many('x [1]\n\n', 2_000_000)],
    ['quotations that nothing closes', many('“Sleep [1]. ', 400_000)],
  ])('is refused in words where it cites too often: %s', async (_name, markdown) => {
    const answer = await verify(markdown);
    expect([answer.status, (await jsonOf<Told>(answer)).detail]).toEqual([
      422,
      expect.stringMatching(/^markdown: it has more than [\d,]+ .*; verify it in several parts$/),
    ]);
  });

  test('has an answer that is bounded', async () => {
    const answer = await verify(
      `${many('Sleep improved by 12 % in 40 adults [1]. ', 200_000)}\n\n## Sources\n\n1. A note on sleep, https://example.org/a\n`,
    );
    expect(answer.status).toBe(200);
    expect((await answer.text()).length).toBeLessThan(8_000_000);
  });
});

describe('the processes that parse', () => {
  const itOnLinux = process.platform === 'linux' ? it : it.skip;
  const LONG = many('Sleep improved by 12 % in 40 adults who walked in the evening [1]. ', 600_000);

  itOnLinux('are two for the face, and end with their clients', async () => {
    const leave = new AbortController();
    setMaxListeners(0, leave.signal);
    const asked = Array.from({ length: 12 }, () =>
      verify(LONG, leave.signal).then(
        ({ status, headers }) => ({ status, retryAfter: headers.get('retry-after') }),
        () => null,
      ),
    );
    await untilTrue(() => parsers().length === 2);
    const answered = await Promise.race(asked);
    expect(answered).toEqual({ status: 429, retryAfter: '5' });
    expect(parsers().length).toBe(2);
    const working = parsers();
    leave.abort();
    await Promise.all(asked);
    await untilTrue(() => working.every((pid) => !parsers().includes(pid)));
    const after = await verify(
      'Sleep improved by 12 % in 40 adults [1].\n\n## Sources\n\n1. A note on sleep, https://example.org/a\n',
    );
    expect(after.status).toBe(200);
    expect(face.unforeseen).toEqual([]);
  });

  it.each([
    [
      'library.bib',
      `@string{a0 = "aaaaaaaaaa"}\n${Array.from({ length: 18 }, (_, n) => `@string{a${n + 1}=a${n} # a${n}}`).join('\n')}\n`,
    ],
    ['keys.json', `{"content":"a",${Array.from({ length: 300_000 }, (_, n) => `"k${n}":1`).join(',')}}`],
    ['a.jsonl', '1\n'.repeat(200_000)],
  ])('read what is uploaded, and the face says what is wrong with %s', async (name, content) => {
    const answer = await start(upload(name, content));
    expect([answer.status, (await jsonOf<Told>(answer)).detail]).toEqual([
      422,
      expect.stringContaining(name),
    ]);
    expect(face.unforeseen).toEqual([]);
  });
});

describe('what the face tells nobody', () => {
  it.each([
    '/%09/evil.example',
    '//evil.example',
    '/\\evil.example',
    '/.//evil.example',
    'https://evil.example/',
    '/\r\nx',
    '/\t\\evil.example',
  ])('signing in leads nowhere else: %j', async (to) => {
    const admin = await face.tokenOf('ann', 'admin');
    const given = await face.ask(`/sign-in?to=${to.startsWith('/%') ? to : encodeURIComponent(to)}`);
    expect(given.status).toBe(200);
    const answer = await face.ask('/sign-in', {
      method: 'POST',
      body: String(
        new URLSearchParams({ token: admin, to: to === '/%09/evil.example' ? '/\t/evil.example' : to }),
      ),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: face.url },
      redirect: 'manual',
    });
    expect(answer.status).toBe(303);
    expect(new URL(answer.headers.get('location') ?? '', face.url).origin).toBe(face.url);
  });

  it.each(['/v1/runs/%ff', '/%ff', '/v1/runs/a%/outline'])(
    'checks host and format of a path that is not UTF-8: %s',
    async (path) => {
      const ask = (headers: Record<string, string>): Promise<number> =>
        new Promise((resolve, reject) => {
          const { hostname, port } = new URL(face.url);
          request({ hostname, port, path, headers }, (answer) => resolve(answer.resume().statusCode ?? 0))
            .on('error', reject)
            .end();
        });
      const told = { authorization: `Bearer ${ann}` };
      expect(await ask({ ...told, host: 'evil.example' })).toBe(421);
      expect(await ask(path.startsWith('/v1') ? {} : { ...told, origin: 'https://evil.example' })).toBe(
        path.startsWith('/v1') ? 401 : 403,
      );
      expect(await ask(told)).toBe(404);
    },
  );

  test('every answer says that it is of its type, and to be kept nowhere', async () => {
    const { runId } = await jsonOf<{ runId: string }>(start({ ...RUN, sources: [NOTE] }));
    for (const path of [
      `/v1/runs/${runId}`,
      `/v1/runs/${runId}/result?format=html`,
      '/healthz',
      '/v1/runs/none/outline',
    ]) {
      const { headers } = await face.ask(path, { token: ann });
      expect([path, headers.get('x-content-type-options'), headers.get('cache-control')]).toEqual([
        path,
        'nosniff',
        'no-store',
      ]);
    }
  });

  test('what is no run of ours is none', async () => {
    const admin = await face.tokenOf('root', 'admin');
    const { client } = face.bench;
    for (const type of ['temporal-sys-scheduler-workflow', 'webhook', 'somebody-elses']) {
      const workflowId = `other-${type}`;
      await client.workflow.start(type, { workflowId, taskQueue: 'nobody', args: [] });
      for (const part of ['', '/outline', '/events', '/result'])
        expect([part, (await face.ask(`/v1/runs/${workflowId}${part}`, { token: admin })).status]).toEqual([
          part,
          404,
        ]);
      await client.workflow.getHandle(workflowId).terminate();
    }
  });

  test('an unknown run and another’s are refused after the same time', async () => {
    const bob = await face.tokenOf('bob', 'run');
    const { runId } = await jsonOf<{ runId: string }>(start({ ...RUN, sources: [NOTE] }));
    expect(runId).toMatch(/-[0-9a-f]{16}$/);
    let later = 0;
    const PAIRS = 30;
    const time = async (id: string, part: string): Promise<number> => {
      const began = performance.now();
      expect((await face.ask(`/v1/runs/${id}/${part}`, { token: bob })).status).toBe(404);
      return performance.now() - began;
    };
    for (let n = 0; n < PAIRS; n += 1) {
      const part = n % 2 === 0 ? 'outline' : 'events';
      const [known, unknown] = [await time(runId, part), await time(`${runId.slice(0, -1)}z`, part)];
      if (known > unknown) later += 1;
    }
    // Of thirty throws of a coin fewer than six or more than twenty-four of one side are one in 5,000.
    expect(later).toBeGreaterThan(5);
    expect(later).toBeLessThan(25);
  });
});
