import { readInputOf } from '../../src/client/read-run-input';
import { storedSources } from '../../src/client/given-sources';
import type { SourceEntry } from '../../src/contracts/source/source';
import { ReportStart } from '../../src/contracts/report/report-start';
import { forAllTests } from '../support/for-all-tests';
import { type HttpBench, jsonOf, openHttpBench } from '../support/http-bench';
import { briefScript } from '../support/brief-script';
import { SOURCES } from '../support/report-script';
import { startLoggingServer } from '../support/logging-server';

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
  const input = await readInputOf(face.bench.client, { runId, historyId }, ReportStart);
  return (await storedSources(face.bench.stores.content, input?.manifestRef ?? '')) ?? [];
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

test('what cannot be fetched or read is told by its name, in the sentences of the command line', async () => {
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
  const start = async (token: string, body: object): Promise<[number, { runId: string; detail: string }]> => {
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
  const listed = await jsonOf<{ runs: { runId: string }[] }>(face.ask('/v1/runs?kind=brief', { token: ann }));
  expect(listed.runs.map(({ runId }) => runId)).toEqual([brief.runId]);
  expect(await start(bob, { ...asked, sources: [] })).toEqual([
    404,
    expect.objectContaining({ code: 'run-not-found', detail: `There is no run "${report.runId}".` }),
  ]);
  const [refused, { detail }] = await start(ann, { kind: 'brief', question: 'What helps?' });
  expect([refused, detail]).toEqual([422, expect.stringContaining('from 1 to 200 are allowed')]);
});
