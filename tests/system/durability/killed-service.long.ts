import { findFreePorts } from '../../../src/temporal/free-ports';
import type { SpawnedCommand } from '../../cli/command-line-under-test';
import { processesOf } from '../../cli/command-line-under-test';
import { useProject } from '../../cli/project-under-test';
import { until } from '../../support/until';

// `serve` and its worker are killed while a run is followed over HTTP, and while one is started.

const project = useProject();
let commands: Record<'server' | 'worker' | 'serve', SpawnedCommand>;
let port: number;
let url: string;

beforeAll(async () => {
  [port = 0] = await findFreePorts();
  url = `http://127.0.0.1:${port}/v1/runs`;
  const server = project.spawn('server --json');
  await server.said(/\n\}\s*$/);
  commands = { server, ...(await begin()) };
});
afterAll(async () => {
  for (const command of [commands.serve, commands.worker, commands.server]) {
    command.child.kill('SIGTERM');
    await command.ended;
  }
  expect(await processesOf(project.folder)).toEqual([]);
});

async function begin(): Promise<Record<'worker' | 'serve', SpawnedCommand>> {
  const begun = {
    worker: project.spawn('worker --json'),
    serve: project.spawn(`serve --json --set http.port=${port}`),
  };
  await Promise.all(Object.values(begun).map((command) => command.said(/\n\}\s*$/)));
  return begun;
}

async function killBoth(): Promise<void> {
  await Promise.all([commands.worker.kill(), commands.serve.kill()]);
  commands = { ...commands, ...(await begin()) };
}

const SOURCES = [{ title: 'A note', content: 'Walking improved sleep by 12 % in 40 adults.' }];

function start(question: string, given: object = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': question },
    body: JSON.stringify({ kind: 'report', question, sources: SOURCES, ...given }),
  });
}

/** Follows the events of a run from the last number that came, and begins again where the connection breaks. */
function follow(runId: string): { numbers: number[]; ended: Promise<void> } {
  const numbers: number[] = [];
  const listen = async (): Promise<boolean> => {
    const last = numbers.at(-1);
    const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': String(last) };
    const answer = await fetch(`${url}/${runId}/events`, { headers });
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
  const ended = until(() => listen().catch(() => false)).then(() => undefined);
  ended.catch(() => undefined); // the test awaits it
  return { numbers, ended };
}

test('a follower gets each event once, whatever is killed', async () => {
  const approval = { timeoutMs: 600_000 };
  const started = await start('Does walking improve sleep?', { approval });
  const { runId } = (await started.json()) as { runId: string };
  const followed = follow(runId);
  const awaitsApproval = async (): Promise<boolean> => {
    const { status } = (await (await fetch(`${url}/${runId}`)).json()) as { status: string };
    return status === 'awaiting-approval';
  };
  await until(awaitsApproval);
  await killBoth();
  const before = followed.numbers.length;
  const approved = await fetch(`${url}/${runId}/outline/approval`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(await approved.text()).toContain('is approved');
  await until(() => Promise.resolve(followed.numbers.length > before));
  await killBoth();
  await followed.ended;
  expect(followed.numbers).toEqual(followed.numbers.map((_, at) => at + 1));
});

test('a run that is started with a key is one run, wherever in its start the process was killed', async () => {
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
    const first = start(question).catch(() => null);
    await until(() => hasCome(question));
    await commands.serve.kill();
    await first;
    commands.serve = project.spawn(`serve --json --set http.port=${port}`);
    await commands.serve.said(/\n\}\s*$/);
    const { runId } = (await (await start(question)).json()) as { runId: string };
    expect(await idsOf(question)).toEqual([runId]);
  }
});
