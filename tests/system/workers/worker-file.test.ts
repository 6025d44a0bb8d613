import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  newProjectFolder,
  runCommand,
  type SpawnedCommand,
  spawnProgram,
} from '../../cli/command-line-under-test';
import { writeNotes } from '../../cli/notes';
import { BUILT } from '../../support/build';
import { startTestServer, type TestServer } from '../../support/temporal-server';

/** `node dist/worker.js`, as whoever deploys a worker runs it. */
const WORKER = path.join(BUILT, 'worker.js');

let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = await newProjectFolder();
  await writeNotes(path.join(folder, 'notes'));
  server = await startTestServer();
});
afterAll(() => server.stop());

function worker(env: Record<string, string>): SpawnedCommand {
  return spawnProgram([WORKER], { cwd: folder, env });
}

test('the file is a worker, by the settings of file and environment, until it is told to stop', async () => {
  await writeFile(path.join(folder, 'colligate.config.json'), '{ "temporal": { "taskQueue": "by-file" } }');
  const env = { TEMPORAL_ADDRESS: server.address };
  const started = [
    worker({ ...env, COLLIGATE_WORKER_ROLES: 'runs' }),
    worker({ ...env, COLLIGATE_WORKER_ROLES: 'computing' }),
  ];
  await Promise.all(started.map(({ said }) => said(/Ctrl-C stops it/)));
  const args = ['report', 'Does exercise improve sleep?', '--sources', 'notes', '--json'];
  const report = await runCommand(args, { cwd: folder, env });
  expect(report).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/No worker/) as unknown });
  for (const { child } of started) child.kill('SIGTERM');
  const ends = await Promise.all(started.map(({ ended }) => ended));
  expect(ends.map(({ code, stdout }) => [code, stdout])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  expect(ends[0]?.stderr).toContain(`task queue by-file on ${server.address}, for runs\n`);
  expect(ends[1]?.stderr).toMatch(/, for computing\n[^]*Stopping: what is under way finishes/);
});

test.each([
  ['no server', {}, 3, /^error: No Temporal server is running/],
  ['a wrong setting', { COLLIGATE_WORKER_ROLES: 'writing' }, 2, /COLLIGATE_WORKER_ROLES .* is "writing"/],
])('%s is said as the command says it', async (_what, env, code, message) => {
  const ended = await worker(env).ended;
  expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) as unknown });
  expect(ended.stderr).not.toMatch(/ at .*\.js:/);
});
