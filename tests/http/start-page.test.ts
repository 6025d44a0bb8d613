import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunNotFoundError } from '../../src/client/client-errors';
import type { RunHandle } from '../../src/client/run-handle';
import type { ReportRequest } from '../../src/client/run-requests';
import { readRequestSources } from '../../src/client/source-input';
import { chainReadings, loadSources } from '../../src/sources/source-readings';
import { type FaceWithoutServer, openFaceWithoutServer } from '../support/face-without-server';
import { findings, press, textOf } from '../support/services/at-a-page';
import { type Browser, describeWithBrowser, openBrowser } from '../support/services/browser';

const FILES: Record<string, string> = {
  'walk.md': 'Walking for 30 minutes improved sleep in 40 adults.',
  '~$plan.docx': '\0'.repeat(162),
  'empty <b>.md': ' \n',
  'list.jsonl': '{"content": "Tea helps."}\n{"title": "Nothing"}\n{}\n',
};

let face: FaceWithoutServer;
let url: string;
let folder: string;
/** Titles of the sources of each started run. */
let started: string[][];

beforeAll(async () => {
  const origins = new Set<string>();
  face = await openFaceWithoutServer({
    withoutToken: 'local',
    origins,
    client: {
      list: () => Promise.resolve([]),
      runningOf: () => Promise.resolve(0),
      run: (runId) => ({ owner: () => Promise.reject(new RunNotFoundError(runId)) }) as RunHandle,
      // Reads the sources as a start does, and starts nothing.
      async startReport({ sources }: ReportRequest) {
        if (sources === undefined || 'manifestRef' in sources) throw new Error('no sources were given');
        const { skipInvalid = false } = sources;
        const read = await loadSources(chainReadings(readRequestSources(sources, {})), { skipInvalid });
        started.push(read.sources.map(({ title }) => title));
        const run = { runId: 'a-run' };
        // Of the handle, the route reads the id only.
        return { run, attached: false, ...read, estimate: null } as never;
      },
    },
  });
  url = await face.app.listen({ host: '127.0.0.1', port: 0 });
  face.hosts.add(new URL(url).host);
  origins.add(url);
  folder = await mkdtemp(join(tmpdir(), 'colligate-start-page-'));
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
});
beforeEach(() => (started = []));
afterAll(async () => {
  await face.app.close();
  await rm(folder, { recursive: true });
});

async function send(
  files: readonly string[],
  fields: Record<string, string> = {},
): Promise<{ status: number; page: string; location: string | null }> {
  const body = new FormData();
  const given = { key: 'k', kind: 'report', question: 'Does <i> help?', approval: 'on', ...fields };
  for (const [name, value] of Object.entries(given)) body.append(name, value);
  for (const name of files) body.append('files', new File([FILES[name] ?? ''], name));
  const answer = await fetch(`${url}/start`, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: 'text/html', origin: url },
    body,
  });
  return { status: answer.status, page: await answer.text(), location: answer.headers.get('location') };
}

describe('a form with files that cannot be read', () => {
  it('comes back as it was sent, with a line for each and a button to continue without them', async () => {
    const { status, page } = await send(['walk.md', '~$plan.docx', 'empty <b>.md']);
    expect(status).toBe(422);
    expect(page).toContain('<p>2 files cannot be read. Nothing was started.</p>');
    expect(page).toContain('<li dir="auto">~$plan.docx: a lock file of Office, not a document</li>');
    expect(page).toContain('<li dir="auto">empty &lt;b&gt;.md: the file is empty</li>');
    expect(page).toContain('<button name="skipInvalid" value="true">Continue without these 2 files</button>');
    expect(page).toContain('Does &lt;i&gt; help?</textarea>');
    expect(page).toMatch(/name="approval"\s+checked/);
    expect(page).toContain('name="key" value="k"');
    expect(started).toEqual([]);
  });

  it('starts a run without them where that is asked for', async () => {
    const answer = await send(['walk.md', 'empty <b>.md'], { skipInvalid: 'true' });
    expect([answer.status, answer.location]).toEqual([303, '/runs/a-run']);
    expect(started).toEqual([['walk']]);
  });

  it('counts sources where records of a file are bad', async () => {
    const { page } = await send(['list.jsonl']);
    expect(page).toContain('<p>2 sources cannot be read. Nothing was started.</p>');
    expect(page).toContain('list.jsonl:2: content is missing');
    expect(page).toContain('>Continue without these 2 sources</button>');
  });

  it('offers no start where no other source is left', async () => {
    const { status, page } = await send(['empty <b>.md']);
    expect(status).toBe(422);
    expect(page).toContain('<p>1 file cannot be read. Nothing was started.</p>');
    expect(page).not.toContain('Continue without');
    expect(page).toContain('Choose other files');
  });
});

describeWithBrowser('the start page in a browser', () => {
  let browser: Browser;
  beforeAll(async () => (browser = await openBrowser()));
  afterAll(() => browser.close());

  it('keeps the chosen files, and continues without those that cannot be read', async () => {
    const { page, errors, close } = await browser.openPage({ origin: url });
    await page.goto(`${url}/start`);
    await page.type('[name=question]', 'Does it help?');
    const files = await page.$('input[name=files]');
    await files?.uploadFile(...['walk.md', '~$plan.docx', 'empty <b>.md'].map((name) => join(folder, name)));
    await page.click('button.main');
    await page.waitForSelector('.problem li');
    expect(await textOf(page, '.problem')).toContain('empty <b>.md: the file is empty');
    expect(await textOf(page, '.problem')).toContain('2 files cannot be read');
    expect(await findings(page)).toEqual([]);
    expect(started).toEqual([]);
    await press(page, 'Continue without these 2 files');
    expect(new URL(page.url()).pathname).toBe('/runs/a-run');
    expect(started).toEqual([['walk']]);
    // The browser logs the responses 422 and, as there is no such run, 404.
    expect(errors.filter((error) => !error.includes('Failed to load resource'))).toEqual([]);
    await close();
  });

  it('drops the choice when other files are chosen', async () => {
    const { page, close } = await browser.openPage({ origin: url });
    await page.goto(`${url}/start`);
    await page.type('[name=question]', 'Does it help?');
    const files = await page.$('input[name=files]');
    await files?.uploadFile(join(folder, 'walk.md'), join(folder, 'empty <b>.md'));
    await page.click('button.main');
    await page.waitForSelector('.problem li');
    await files?.uploadFile(join(folder, 'walk.md'));
    expect(await page.$('.problem')).toBeNull();
    await press(page, 'Start');
    expect(started).toEqual([['walk']]);
    await close();
  });
});
