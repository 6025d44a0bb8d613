import path from 'node:path';
import {
  type CommandResult,
  newProjectFolder,
  runCommand,
  type SpawnedCommand,
  spawnProgram,
} from '../../cli/command-line-under-test';
import { BUILT } from '../../support/build';
import { startTestServer, type TestServer } from '../../support/temporal-server';

/** examples/client, beside a worker by itself: it has no part of this package but what the schemas say. */
const EXAMPLES = path.resolve(__dirname, '../../../examples');
const CLIENT = path.join(EXAMPLES, 'client', 'client.mjs');
const QUESTION = 'Does vitamin D supplementation improve health outcomes, and by how much?';

let folder: string;
let server: TestServer;
let worker: SpawnedCommand;
beforeAll(async () => {
  folder = await newProjectFolder();
  server = await startTestServer();
  worker = program(path.join(BUILT, 'worker.js'));
  await worker.said(/Ctrl-C stops it/);
});
afterAll(async () => {
  worker.child.kill('SIGTERM');
  expect((await worker.ended).code).toBe(0);
  await server.stop();
});

const given = (): { cwd: string; env: Record<string, string> } => ({
  cwd: folder,
  env: { TEMPORAL_ADDRESS: server.address },
});
const program = (...script: string[]): SpawnedCommand => spawnProgram(script, given());
const colligate = (...args: string[]): Promise<CommandResult> => runCommand(args, given());

test('a client that knows Temporal alone starts, signals, queries and follows a run, and has its report', async () => {
  const imported = await colligate('import', path.join(EXAMPLES, 'vitamin-d'), '--json');
  const sources = JSON.parse(imported.stdout) as { manifestRef: string; sourceCount: number };
  const client = await program(CLIENT, sources.manifestRef, `${sources.sourceCount}`, QUESTION).ended;
  expect(client).toMatchObject({ code: 0, stdout: expect.stringMatching(/^# [^]*## Sources/) as unknown });
  const [, id = ''] = /^(client-\S+) is (pausing|paused)$/m.exec(client.stderr) ?? [];
  expect(client.stderr).toMatch(/^\d+ % .*\n(\d+ % .*\n)*completed, with \d+ claims$/m);
  expect((await colligate('show', id)).stdout).toBe(client.stdout);
});
