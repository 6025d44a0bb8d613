import { findFreePorts } from '../../../src/app/temporal/spawn-server';
import { processesOf, type SpawnedCommand } from '../../cli/command-line-under-test';
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

const SOURCES = [{ title: 'A note', content: 'Walking improved sleep by 12 % in 40 adults.' }];

function start(question: string, given: object = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': question },
    body: JSON.stringify({ kind: 'report', question, sources: SOURCES, ...given }),
  });
}

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
