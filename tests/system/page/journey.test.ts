import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reaches } from '../../support/follow-run';
import { type HttpBench, openHttpBench } from '../../support/http-bench';
import { findings, press, textOf, to } from '../../support/services/at-a-page';
import {
  type Browser,
  describeWithBrowser,
  openBrowser,
  type WatchedPage,
} from '../../support/services/browser';
import { until } from '../../support/until';
import { limited } from '../runs/outage-runs';

const FILES: Record<string, string> = {
  'walk-1.md': 'Walking for 30 minutes improved sleep in 40 adults. Nobody dropped out.',
  'walk-2.md': 'Evening walks made 25 students fall asleep 12 minutes earlier. It was spring.',
  'tea-1.md': 'Green tea raised attention scores by 9 percent in 60 workers. It was blinded.',
};

describeWithBrowser('somebody with a browser', () => {
  let face: HttpBench;
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    face = await openHttpBench();
    await face.bench.startWorker();
    browser = await openBrowser();
    folder = await mkdtemp(join(tmpdir(), 'colligate-journey-'));
    for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
  });
  afterAll(async () => {
    await browser.close();
    await face.close();
    await rm(folder, { recursive: true });
  });

  it('signs in, starts a report from files, changes and approves its outline, follows it while processes come and go, reads and compares it', async () => {
    const { bench } = face;
    const token = await face.tokenOf('ann', 'run');
    const watched: WatchedPage = await browser.openPage({ origin: face.url });
    const { page } = watched;
    await page.goto(face.url);
    expect(await findings(page)).toEqual([]);
    await page.type('[name=token]', token);
    await press(page, 'Sign in');
    expect(await textOf(page, 'main')).toContain('There is no run yet.');
    expect(await findings(page)).toEqual([]);

    await to(page, '.places a[href="/start"]');
    expect(await findings(page)).toEqual([]);
    await page.type('[name=question]', 'Which habits help?');
    const files = await page.$('input[name=files]');
    await files?.uploadFile(...Object.keys(FILES).map((name) => join(folder, name)));
    await page.click('[name=approval]');
    await press(page, 'Start');
    const runId = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '');
    const run = bench.colligate.run(runId);
    expect(await textOf(page, 'h1')).toBe('Which habits help?');

    // The page comes to it by itself.
    await reaches(run, 'awaiting-approval');
    await page.waitForFunction(
      `document.querySelector('#actions button')?.textContent === 'Approve the outline'`,
    );
    expect(await findings(page)).toEqual([]);
    await to(page, 'a[href$="/outline"]');
    expect(await findings(page)).toEqual([]);
    const hold = bench.engine.hold('write-section');
    await page.evaluate(`document.querySelector('fieldset [name=title]').value = 'Going for walks'`);
    await press(page, 'Save and approve');
    expect((await run.outline())?.sections[0]?.title).toBe('Going for walks');

    // The face goes away while a section is written, and so does whoever writes it.
    await hold.reached;
    await face.leave();
    await page.waitForFunction(
      `document.getElementById('follows').textContent.startsWith('The service does not answer')`,
    );
    hold.release();
    await face.comeBack();
    await page.waitForFunction(`document.querySelector('a[href$="/result"]') !== null`);
    expect((await run.waitUntilClosed()).status).toBe('completed');
    expect(await findings(page)).toEqual([]);

    await to(page, 'a[href$="/result"]');
    expect(await textOf(page, 'main')).toContain('Going for walks');
    await page.click('main a.claim');
    await until(
      () => page.$('.passage:target mark'),
      (mark) => mark !== null,
    );

    await page.goto(face.url);
    expect(await page.$$('table.runs tbody tr')).toHaveLength(1);
    expect(await findings(page)).toEqual([]);
    expect([watched.refused, watched.dialogs]).toEqual([[], []]);
    await watched.close();
  });

  it('sees until when an endpoint takes no more requests, by the clock of the browser', async () => {
    const { bench } = face;
    const token = await face.tokenOf('cy', 'run');
    const watched = await browser.openPage({ origin: face.url });
    const { page } = watched;
    await page.goto(face.url);
    await page.type('[name=token]', token);
    await press(page, 'Sign in');
    bench.engine.failOnce('outline', limited(8 * 3_600_000));
    const { run } = await bench.colligate.startReport({
      question: 'Which habits help?',
      sources: { paths: Object.keys(FILES).map((name) => join(folder, name)) },
      owner: 'cy',
    });
    const { waiting } = await reaches(run, 'waiting');
    await page.goto(`${face.url}/runs/${run.runId}`);
    await page.waitForFunction(
      `/^[^U]*\\d\\d[^U]*$/.test(document.querySelector('#facts time').textContent)`,
    );
    expect(await page.evaluate(`document.querySelector('#facts time').dateTime`)).toBe(waiting?.until);
    expect(await textOf(page, '#facts')).toMatch(
      /small at models\.example takes no more requests until .+ \((?:in 8 h 0 min|in 7 h 5\d min)\): Per day\./,
    );
    expect(await findings(page)).toEqual([]);
    await press(page, 'Pause');
    await reaches(run, 'paused');
    await page.goto(`${face.url}/runs/${run.runId}`);
    await press(page, 'Resume');
    expect((await run.waitUntilClosed()).status).toBe('completed');
    await watched.close();
  });

  it('reads and steers without scripts, and at 320 pixels', async () => {
    const { bench } = face;
    const token = await face.tokenOf('bob', 'run');
    const watched = await browser.openPage({ origin: face.url, width: 320 });
    const { page } = watched;
    await page.setJavaScriptEnabled(false);
    await page.goto(face.url);
    await page.type('[name=token]', token);
    await press(page, 'Sign in');
    const hold = bench.engine.hold('outline');
    const { run } = await bench.colligate.startReport({
      question: 'Which habits help?',
      sources: { paths: Object.keys(FILES).map((name) => join(folder, name)) },
      owner: 'bob',
    });
    await hold.reached;
    await page.goto(`${face.url}/runs/${run.runId}`);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await press(page, 'Pause');
    expect(await textOf(page, '[role=status]')).toBe('It was asked to pause.');
    hold.release();
    await reaches(run, 'paused');
    await page.goto(`${face.url}/runs/${run.runId}`);
    await press(page, 'Resume');
    expect((await run.waitUntilClosed()).status).toBe('completed');
    await press(page, 'Sign out');
    expect(await textOf(page, 'h1')).toBe('Sign in');
    await watched.close();
  });
});
