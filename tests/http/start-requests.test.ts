import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { readRunInput } from '../../src/client/run-sources';
import { readStoredSources } from '../../src/client/source-input';
import type { SourceEntry } from '../../src/contracts/source';
import { ReportStart } from '../../src/contracts/start';
import { briefScript } from '../support/brief-script';
import { forAllTests } from '../support/for-all-tests';
import { type HttpBench, jsonOf, openHttpBench } from '../support/http-bench';
import { startLoggingServer } from '../support/logging-server';
import { SOURCES } from '../support/report-script';

describe('sources of a request', () => {
  const web = forAllTests(startLoggingServer);

  let face: HttpBench;

  let ann: string;

  beforeAll(async () => {
    web.serve = (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/markdown' })
        .end('# A page\n\nIt was read at its address.');
    face = await openHttpBench({}, { COLLIGATE_FETCH_ALLOW: `127.0.0.1:${web.port}` });
    ann = await face.tokenOf('ann', 'run');
  });

  afterAll(() => face.close());

  const page = (): string => `http://127.0.0.1:${web.port}/page`;

  const NOTE = {
    title: 'Evening walking and sleep',
    url: 'https://example.org/walking',
    content: 'Sleep improved by 12 % in 40 adults.',
  };

  function form(request: unknown, files: Record<string, string>): FormData {
    const sent = new FormData();
    sent.set('request', JSON.stringify(request));
    for (const [name, text] of Object.entries(files)) sent.append('files', new Blob([text]), name);
    return sent;
  }

  async function sourcesOf(runId: string): Promise<readonly SourceEntry[]> {
    const { runId: historyId } = await face.bench.client.workflow.getHandle(runId).describe();
    const input = await readRunInput(face.bench.client, { runId, historyId }, ReportStart);
    return (await readStoredSources(face.bench.stores.content, input?.manifestRef ?? '')) ?? [];
  }

  test('a report is about texts, pages and files together, each read as on the command line', async () => {
    const body = form(
      { kind: 'report', question: 'Does it help?', sources: [NOTE], links: [page()] },
      {
        'paper.html':
          '<html><head><title>A paper</title></head><body><article><h1>A paper</h1><p>Forty adults slept longer than before.</p></article></body></html>',
        'notes.jsonl':
          '{"title":"One","content":"First of two."}\n{"title":"Two","content":"Second of two."}\n',
      },
    );
    const answer = await face.ask('/v1/runs', { method: 'POST', token: ann, body });
    const started = await jsonOf<{ runId: string }>(answer);
    expect([answer.status, started]).toEqual([201, expect.objectContaining({ attached: false })]);
    const sources = await sourcesOf(started.runId);
    expect(sources.map(({ title }) => title)).toEqual([
      'Evening walking and sleep',
      'A page',
      'A paper',
      'One',
      'Two',
    ]);
    expect(sources[1]?.url).toBe(page());
    expect(sources[2]?.file).toBe('paper.html');
  });

  test('unreadable sources are reported by name, with the messages of the command line', async () => {
    const start = (body: unknown): Promise<Response> =>
      face.ask('/v1/runs', { method: 'POST', token: ann, body });
    const asked = { kind: 'report', question: 'Does it help?' };
    const inside = await start({ ...asked, links: ['http://127.0.0.1/secrets'] });
    expect(inside.status).toBe(422);
    expect((await jsonOf<{ detail: string }>(inside)).detail).toContain(
      'it leads to 127.0.0.1, which is no public address',
    );
    const unread = await start(form(asked, { 'picture.png': '\u0089PNG\r\n' }));
    const { detail } = await jsonOf<{ detail: string }>(unread);
    expect([unread.status, detail]).toEqual([422, expect.stringContaining('\n  picture.png: ')]);
    expect(detail).not.toContain('/colligate-upload-');
    for (const link of ['/etc/passwd', 'file:///etc/passwd', 'http:/etc/passwd', 'ftp://example.org/'])
      expect([link, (await start({ ...asked, links: [link] })).status]).toEqual([link, 422]);
    const bibliography = '@article{a, title={T}, file={../../../../../../etc/passwd}}\n';
    const leading = await start(form(asked, { 'library.bib': bibliography }));
    expect(leading.status).toBe(422);
    expect((await jsonOf<{ detail: string }>(leading)).detail).toContain('outside of the folder of the list');
    expect((await start(asked)).status).toBe(422);
    expect(face.unforeseen).toEqual([]);
  });

  test('a text is verified against what is sent with it', async () => {
    const markdown =
      'Sleep improved by 12 % in 40 adults [1]. Everyone recovered from everything [1].\n\n## Sources\n\n1. Evening walking and sleep, https://example.org/walking\n';
    const answer = await face.ask('/v1/verify', {
      method: 'POST',
      token: ann,
      body: { markdown, sources: [NOTE] },
    });
    const verified = await jsonOf<{
      claims: { verdict: string }[];
      audit: { claims: number; supported: number };
    }>(answer);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(verified.claims[0]?.verdict).toBe('supported');
    expect(verified.audit).toMatchObject({ claims: 2, supported: 1 });
    const uploaded = form({ markdown }, { 'a-note.md': `# Evening walking and sleep\n\n${NOTE.content}\n` });
    const again = await face.ask('/v1/verify', { method: 'POST', token: ann, body: uploaded });
    expect((await jsonOf<typeof verified>(again)).claims[0]?.verdict).toBe('supported');
    for (const [body, why] of [
      [{ markdown: 'It cites nothing.', sources: [NOTE] }, /cites anything in a form that can be read/],
      [{ markdown }, /Nothing says what its sources are/],
      [{ markdown: '', sources: [NOTE] }, /markdown/],
    ] as const) {
      const refused = await face.ask('/v1/verify', { method: 'POST', token: ann, body });
      expect(refused.status).toBe(422);
      expect((await jsonOf<{ detail: string }>(refused)).detail).toMatch(why);
    }
  });

  test('a brief is written of subtopics and of runs of one’s own, and of no other’s', async () => {
    face.bench.play(briefScript());
    await face.bench.startWorker();
    const bob = await face.tokenOf('bob', 'run');
    const start = async (
      token: string,
      body: object,
    ): Promise<[number, { runId: string; detail: string }]> => {
      const answer = await face.ask('/v1/runs', { method: 'POST', token, body });
      return [answer.status, await jsonOf(answer)];
    };
    const events = async (runId: string): Promise<string> =>
      (await face.ask(`/v1/runs/${runId}/events`, { token: ann })).text();
    const [, report] = await start(ann, { kind: 'report', question: 'Does it help?', sources: SOURCES });
    expect(await events(report.runId)).toContain('event: run-completed');
    const asked = {
      kind: 'brief',
      question: 'What helps?',
      subtopics: [
        {
          title: 'Zinc',
          summary: 'Zinc shortened colds by 33 % [1].',
          citations: ['https://example.org/zinc'],
        },
      ],
      from: [report.runId],
      sources: [{ title: 'Zinc', url: 'https://example.org/zinc', content: 'Zinc shortened colds by 33 %.' }],
    };
    const [status, brief] = await start(ann, asked);
    expect([status, brief]).toEqual([
      201,
      expect.objectContaining({ runId: expect.stringContaining('brief') }),
    ]);
    expect(await events(brief.runId)).toContain('event: run-completed');
    const result = await face.ask(`/v1/runs/${brief.runId}/result?format=html`, { token: ann });
    expect(await result.text()).toContain('Zinc shortened colds');
    const progress = await face.ask(`/v1/runs/${brief.runId}`, { token: ann });
    expect(await jsonOf(progress)).toMatchObject({ kind: 'brief', status: 'completed' });
    const listed = await jsonOf<{ runs: { runId: string }[] }>(
      face.ask('/v1/runs?kind=brief', { token: ann }),
    );
    expect(listed.runs.map(({ runId }) => runId)).toEqual([brief.runId]);
    expect(await start(bob, { ...asked, sources: [] })).toEqual([
      404,
      expect.objectContaining({ code: 'run-not-found', detail: `There is no run "${report.runId}".` }),
    ]);
    const [refused, { detail }] = await start(ann, { kind: 'brief', question: 'What helps?' });
    expect([refused, detail]).toEqual([422, expect.stringContaining('from 1 to 200 are allowed')]);
  });
});

describe('uploads', () => {
  const LIMIT = 1024 * 1024;

  let face: HttpBench;

  let ann: string;

  beforeAll(async () => {
    face = await openHttpBench({ maxUploadBytes: LIMIT });
    ann = await face.tokenOf('ann', 'run');
  });

  afterAll(() => face.close());

  afterEach(() => {
    // Whatever came lies nowhere any more, and nobody was surprised.
    const ours = (name: string): boolean =>
      /^colligate-upload-.*-(\d+)-/.exec(name)?.[1] === `${process.pid}`;
    expect(readdirSync(tmpdir()).filter(ours)).toEqual([]);
    expect(face.unforeseen).toEqual([]);
  });

  const ASKED = JSON.stringify({ kind: 'report', question: 'Does it help?' });

  interface Refusal {
    status: number;
    type: string;
    told: { detail: string; code: string };
    /** How many bytes were sent until it was told. */
    sent: number;
    /** The most that buffers held meanwhile beyond what they held before. */
    held: number;
  }

  /** Bytes. */
  const LOOKED_EVERY = 65_536;

  /** Sends a form piece by piece until it is answered. */
  function send(pieces: Iterable<string | Buffer>, headers: Record<string, string> = {}): Promise<Refusal> {
    const { hostname, port } = new URL(face.url);
    const before = process.memoryUsage().arrayBuffers;
    let [sent, held, lookedAt] = [0, 0, 0];
    return new Promise((resolve, reject) => {
      let hasAnswer = false;
      const asking = request(
        {
          hostname,
          port,
          path: '/v1/runs',
          method: 'POST',
          headers: {
            authorization: `Bearer ${ann}`,
            'content-type': 'multipart/form-data; boundary=b',
            ...headers,
          },
        },
        (answer) => {
          hasAnswer = true;
          let text = '';
          answer.setEncoding('utf8').on('data', (part: string) => (text += part));
          answer.on('end', () => {
            asking.destroy();
            const { statusCode: status = 0, headers: told } = answer;
            const type = told['content-type'] ?? '';
            resolve({ status, type, told: JSON.parse(text) as Refusal['told'], sent, held });
          });
        },
      );
      asking.on('error', (error) => {
        if (!hasAnswer) reject(error);
      });
      const iterator = pieces[Symbol.iterator]();
      const next = (): void => {
        for (let room = true; room && !hasAnswer;) {
          const { value, done } = iterator.next();
          if (done === true) {
            asking.end();
            return;
          }
          sent += value.length;
          // To look takes longer than to send a small piece.
          if (sent - lookedAt >= LOOKED_EVERY) {
            lookedAt = sent;
            held = Math.max(held, process.memoryUsage().arrayBuffers - before);
          }
          room = asking.write(value);
        }
        if (!hasAnswer) asking.once('drain', next);
      };
      next();
    });
  }

  const FIELD = `--b\r\ncontent-disposition: form-data; name="request"\r\n\r\n${ASKED}\r\n`;

  const file = (name: string, field = 'files'): string =>
    `--b\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\n\r\n`;

  const TWO_GB = 2 * 1024 ** 3;

  function* twoGigabytes(): Generator<string | Buffer> {
    yield FIELD;
    yield file('large.md');
    const piece = Buffer.alloc(LIMIT / 4, 'a');
    for (let sent = 0; sent < TWO_GB; sent += piece.length) yield piece;
    yield '\r\n--b--\r\n';
  }

  test('2 GB are refused as soon as they are announced, or more has come than may', async () => {
    const announced = await send(twoGigabytes(), { 'content-length': String(TWO_GB) });
    const streamed = await send(twoGigabytes());
    for (const refusal of [announced, streamed]) {
      expect(refusal).toMatchObject({
        status: 413,
        type: expect.stringContaining('application/problem+json'),
        told: { code: 'too-large', detail: 'An upload has at most 1 MB: send its files in several.' },
      });
      expect(refusal.sent).toBeLessThan(TWO_GB / 4);
      expect(refusal.held).toBeLessThan(64 * LIMIT);
    }
  });

  test('too many parts are refused at the first part over the limit', async () => {
    function* parts(): Generator<string> {
      yield FIELD;
      for (let n = 0; n < 5_000; n += 1) yield `${file(`${n}.md`)}x\r\n`;
      yield '--b--\r\n';
    }
    const refusal = await send(parts());
    expect(refusal).toMatchObject({ status: 413, told: { code: 'too-many-parts' } });
    expect(refusal.told.detail).toContain('at most 100 files');
    expect(refusal.held).toBeLessThan(64 * LIMIT);
    const fields = function* (): Generator<string> {
      for (let n = 0; n < 5_000; n += 1) yield FIELD;
    };
    expect(await send(fields())).toMatchObject({ status: 413, told: { code: 'too-many-parts' } });
  });

  test('a name that is a path is refused, whichever way it is written', async () => {
    for (const name of [
      '../../etc/passwd',
      '/etc/passwd',
      '..\\\\..\\\\boot.ini',
      'a/b.md',
      '..',
      'a\u0001.md',
    ]) {
      const refusal = await send([FIELD, file(name), 'x\r\n--b--\r\n']);
      expect([name, refusal.status, refusal.told.code]).toEqual([name, 422, 'file-name']);
      expect(refusal.told.detail).toContain('send its name alone');
    }
  });

  test('an invalid upload is reported in a sentence', async () => {
    const end = '--b--\r\n';
    const x = 'x\r\n';
    const bad: [string[], number, RegExp][] = [
      [[file('a.md'), x, end], 422, /has a field "request"/],
      [[FIELD, file('a.md', 'others'), x, end], 422, /no "others"/],
      [[FIELD.replace('"request"', '"__proto__"'), end], 400, /multipart/],
      [[FIELD.replace(ASKED, '{'), end], 400, /not valid JSON/],
      [[FIELD.replace(ASKED, '['.repeat(10_000)), end], 413, /within each other/],
      [[FIELD, file('a.md'), x, file('a.md'), x, end], 422, /Two files are called "a.md"/],
      [[FIELD, file('a.md'), 'cut off'], 400, /cannot be read as multipart/],
      [['nothing of the kind'], 400, /cannot be read as multipart/],
      [[FIELD, end], 422, /sources are missing/],
    ];
    for (const [pieces, status, why] of bad) {
      const refusal = await send(pieces);
      expect([pieces, refusal.status, refusal.told.detail]).toEqual([
        pieces,
        status,
        expect.stringMatching(why),
      ]);
    }
    const outline = await face.ask('/v1/runs/x/outline', { method: 'PUT', token: ann, body: new FormData() });
    expect(outline.status).toBe(415);
    expect((await jsonOf<{ detail: string }>(outline)).detail).toContain('no files are taken here');
  });
});
