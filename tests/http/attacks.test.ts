import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { spawnCommand } from '../cli/command-line-under-test';
import { useProject } from '../cli/project-under-test';
import { madeZip } from '../sources/made-files';
import { startLoggingServer } from '../support/logging-server';

const project = useProject();

const fill = (text: string, size: number): string =>
  text.repeat(Math.ceil(size / text.length)).slice(0, size);
/** Asks whether the face answers, again and again; tells how often it did, and the longest that it took in milliseconds. */
const WATCHER = `
const { parentPort, workerData } = require('node:worker_threads');
let isOver = false;
parentPort.once('message', () => (isOver = true));
(async () => {
  let [longest, answers, failed] = [0, 0, 0];
  while (!isOver) {
    const began = performance.now();
    const answer = await fetch(workerData + '/healthz');
    await answer.text();
    if (answer.status === 200) answers += 1;
    else failed += 1;
    longest = Math.max(longest, performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  parentPort.postMessage({ longest, answers, failed });
})();
`;

const RUN = { kind: 'report', question: 'Why?' };
const NOTE = { title: 'A note on sleep', content: 'Sleep improved by 12 % in 40 adults.' };

/** Files that took a process from a few kilobytes to gigabytes, or held it up, each with a name. */
async function files(): Promise<[string, string | Uint8Array][]> {
  return [
    [
      'doubled.bib',
      `@string{a0 = "aaaaaaaaaa"}\n${Array.from({ length: 40 }, (_, n) => `@string{a${n + 1}=a${n} # a${n}}`).join('\n')}\n`,
    ],
    ['open.bib', fill('@article{a, title={', 2_000_000)],
    ['keys.json', `{"content":"a",${Array.from({ length: 500_000 }, (_, n) => `"k${n}":1`).join(',')}}`],
    ['lists.json', fill('[[],', 4_000_000)],
    ['lines.jsonl', fill('1\n', 4_000_000)],
    ['records.jsonl', fill('{"content":"a"}\n', 2_000_000)],
    ['links.txt', fill('http://127.0.0.1/a\n', 4_000_000)],
    ['fields.ris', `TY  - A\nAB  - a\n${fill('b\n', 4_000_000)}ER  -\n`],
    ['front.md', `---\n${fill('- [a, ', 60_000)}\n---\ntext\n`],
    [
      'bomb.docx',
      await madeZip({ '_rels/.rels': '<Relationships/>', 'word/document.xml': ' '.repeat(100_000_000) }),
    ],
    ['deep.html', fill('<div><table><tr><td>', 2_000_000)],
    ['rows.csv', fill('a,b,c\n', 4_000_000)],
  ];
}

/** Milliseconds that another client may wait. Measured on an idle machine alone, by `npm run test:long -- attacks`. */
const LONGEST_WAIT_MS = process.env['COLLIGATE_TEST_LONG'] === undefined ? Infinity : 1_000;

test('no attack has another client wait for long', async () => {
  const web = await startLoggingServer();
  web.robots = `User-agent: *\n${fill(`Disallow: /${'*a'.repeat(900)}$\n`, 482_000)}`;
  const command = spawnCommand('serve --json --set http.port=0', {
    cwd: project.folder,
    env: { ...project.env, COLLIGATE_FETCH_ALLOW: `127.0.0.1:${web.port}` },
  });
  try {
    await command.said(/\n\}\s*$/);
    const { url } = JSON.parse(command.saying().stdout) as { url: string };
    const json = (path: string, body: string): Promise<Response> =>
      fetch(`${url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const upload = ([name, content]: [string, string | Uint8Array]): Promise<Response> => {
      const form = new FormData();
      form.set('request', JSON.stringify(RUN));
      form.append('files', new Blob([new Uint8Array(Buffer.from(content))]), name);
      return fetch(`${url}/v1/runs`, { method: 'POST', body: form });
    };
    const verify = (markdown: string): Promise<Response> =>
      json('/v1/verify', JSON.stringify({ markdown, sources: [NOTE] }));
    const attacks: (() => Promise<Response>)[] = [
      ...(await files()).map((file) => () => upload(file)),
      ...['x [1] ', 'Sleep improved [1]. ', '[1-199] ', 'x [1]\n\n', '“A [1]. '].map(
        (text) => () => verify(fill(text, 2_000_000)),
      ),
      ...['“Sleep improved [1]. ', 'Sleep [1] improved. '].map((text) => () => verify(fill(text, 180_000))),
      ...['1,', '{},', '"a",'].map(
        (item) => () =>
          json('/v1/runs', `{"kind":"report","question":"Why?","sources":[${item.repeat(900_000)}1]}`),
      ),
      () => json('/v1/runs', `{"kind":"report","question":"Why?","sources":[${'1,'.repeat(9_000)}1]}`),
      () =>
        json(
          '/v1/runs',
          JSON.stringify({ ...RUN, links: [`http://127.0.0.1:${web.port}/${'a'.repeat(3_900)}`] }),
        ),
    ];
    // In a thread of its own: what this process is busy with is no wait for an answer.
    const watcher = new Worker(WATCHER, { eval: true, workerData: url });
    const answered = await Promise.all(attacks.map((attack) => attack().then(({ status }) => status)));
    watcher.postMessage('stop');
    const [{ longest, answers, failed }] = (await once(watcher, 'message')) as [Record<string, number>];
    expect(failed).toBe(0);
    expect(answers).toBeGreaterThan(10);
    expect(answered.filter((status) => status >= 500 && status !== 503)).toEqual([]);
    expect(longest).toBeLessThan(LONGEST_WAIT_MS);
  } finally {
    command.stop('SIGTERM');
    await command.ended;
  }
});
