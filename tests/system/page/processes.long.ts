import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePorts } from '../../../src/temporal/free-ports';
import type { SpawnedCommand } from '../../cli/command-line-under-test';
import { processesOf } from '../../cli/command-line-under-test';
import { useProject } from '../../cli/project-under-test';
import { type Browser, describeWithBrowser, openBrowser } from '../../support/services/browser';
import { press, textOf, to } from '../../support/services/at-a-page';
import { until } from '../../support/until';

/** The events of a run as another service follows them: over whatever dies on the way, from the number that came last. */
function follow(url: string): { numbers: number[]; ended: Promise<void> } {
  const numbers: number[] = [];
  const listen = async (): Promise<boolean> => {
    const last = numbers.at(-1);
    const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': String(last) };
    const answer = await fetch(url, { headers });
    let text = '';
    for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const number = /^id: (\d+)$/m.exec(frame)?.[1];
        if (number !== undefined) numbers.push(Number(number));
        if (/^event: run-completed$/m.test(frame)) return true;
      }
    }
    return false;
  };
  // What breaks off is taken up again.
  const ended = until(() => listen().catch(() => false)).then(() => undefined);
  ended.catch(() => undefined); // whoever awaits it is told
  return { numbers, ended };
}

describeWithBrowser('while the processes of a service are killed', () => {
  const project = useProject();
  let browser: Browser;
  let server: SpawnedCommand;
  let worker: SpawnedCommand;
  let serve: SpawnedCommand;
  let port: number;
  beforeAll(async () => {
    [port = 0] = await findFreePorts();
    server = project.spawn('server --json');
    await server.said(/\n\}\s*$/);
    browser = await openBrowser();
    await begin();
  });
  afterAll(async () => {
    await browser.close();
    for (const command of [serve, worker, server]) {
      command.child.kill('SIGTERM');
      await command.ended;
    }
    expect(await processesOf(project.folder)).toEqual([]);
  });

  async function begin(): Promise<void> {
    worker = project.spawn('worker --json');
    serve = project.spawn(`serve --json --set http.port=${port}`);
    await Promise.all([worker, serve].map((command) => command.said(/\n\}\s*$/)));
  }

  it('somebody who looks at a run sees all of it, and who follows it hears each event once', async () => {
    const url = `http://127.0.0.1:${port}`;
    const { page, close } = await browser.openPage({ origin: url });
    await page.goto(`${url}/start`);
    await page.type('[name=question]', 'Does exercise improve sleep?');
    const files = await page.$('input[name=files]');
    const notes = (await readdir(join(project.folder, 'notes'))).map((name) =>
      join(project.folder, 'notes', name),
    );
    await files?.uploadFile(...notes);
    await page.click('[name=approval]');
    await press(page, 'Start');
    const path = new URL(page.url()).pathname;
    const followed = follow(`${url}/v1${path}/events`);
    const isAwaited = `document.querySelector('#actions button')?.textContent === 'Approve the outline'`;
    await page.waitForFunction(isAwaited);

    await Promise.all([worker.kill(), serve.kill()]);
    await page.waitForFunction(
      `document.getElementById('follows').textContent.startsWith('The service does not answer')`,
    );
    await begin();
    await page.waitForFunction(
      `document.getElementById('follows').textContent.startsWith('This page follows')`,
    );
    await page.waitForFunction(isAwaited);
    await to(page, 'a[href$="/outline"]');
    await page.evaluate(`document.querySelector('fieldset [name=title]').value = 'Sleep of those who walk'`);
    const before = followed.numbers.length;
    await press(page, 'Save and approve');

    // As soon as it goes on.
    await until(() => Promise.resolve(followed.numbers.length > before + 1));
    await Promise.all([worker.kill(), serve.kill()]);
    await begin();
    await page.waitForFunction(`document.querySelector('a[href$="/result"]') !== null`);
    await followed.ended;
    expect(followed.numbers).toEqual(followed.numbers.map((_, at) => at + 1));
    await to(page, 'a[href$="/result"]');
    expect(await textOf(page, 'main')).toContain('Sleep of those who walk');
    const headings = await page.$$eval('main h2', (all) => all.map(({ textContent }) => textContent ?? ''));
    expect(new Set(headings).size).toBe(headings.length);
    await close();
  });

  it('whoever starts a run with a key finds it, wherever in its start the process died', async () => {
    const url = `http://127.0.0.1:${port}`;
    const idsOf = async (question: string): Promise<string[]> => {
      const { runs } = JSON.parse((await project.spawn('list --json').ended).stdout) as {
        runs: { runId: string; question: string }[];
      };
      return runs.filter((run) => run.question === question).map(({ runId }) => runId);
    };
    const moments: [question: string, hasCome: (question: string) => Promise<boolean>][] = [
      ['Who was hardly heard?', () => Promise.resolve(true)],
      ['Who was not answered?', async (question) => (await idsOf(question)).length > 0],
    ];
    for (const [question, hasCome] of moments) {
      const sources = [{ title: 'A note', content: 'Walking improved sleep by 12 % in 40 adults.' }];
      const start = (): Promise<Response> =>
        fetch(`${url}/v1/runs`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': question },
          body: JSON.stringify({ kind: 'report', question, sources }),
        });
      const first = start().catch(() => null);
      await until(() => hasCome(question));
      await serve.kill();
      await first;
      serve = project.spawn(`serve --json --set http.port=${port}`);
      await serve.said(/\n\}\s*$/);
      const { runId } = (await (await start()).json()) as { runId: string };
      expect(await idsOf(question)).toEqual([runId]);
    }
  });
});
