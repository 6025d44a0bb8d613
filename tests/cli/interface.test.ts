import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { loadConfig } from '../../src/config/config';
import { Report } from '../../src/contracts/report/report';
import { findServerBinary } from '../../src/temporal/find-server-binary';
import { until } from '../support/until';
import {
  buildCommandLine,
  newProjectFolder,
  runCommand,
  startCommand,
  type CommandResult,
  type RunningCommand,
} from './command-line-under-test';

/** What docs/interface.md shows, done as it stands there, with the `temporal` command. */
const ROOT = path.join(__dirname, '..', '..');
const QUESTION = 'Does vitamin D supplementation improve health outcomes, and by how much?';

let folder: string;
let dev: RunningCommand;
/** The documented blocks, with what the import printed in its places. */
let example: string;
let schedule: string;

beforeAll(async () => {
  await buildCommandLine();
  folder = await newProjectFolder();
  await cp(path.join(ROOT, 'examples'), path.join(folder, 'examples'), { recursive: true });
  dev = startCommand(['dev', '--json'], { cwd: folder });
  await dev.said(/"taskQueue"/);
  const { address } = JSON.parse(await readFile(path.join(folder, '.colligate/server.json'), 'utf8')) as {
    address: string;
  };
  const { path: server } = await findServerBinary(loadConfig());
  const bin = path.join(folder, 'bin');
  await mkdir(bin);
  await writeCommand('temporal', `exec '${server}' "$@" --address ${address}`);
  await writeCommand('colligate', `exec '${process.execPath}' '${path.join(ROOT, 'dist/cli/main.js')}' "$@"`);

  const page = await readFile(path.join(ROOT, 'docs/interface.md'), 'utf8');
  const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const [imports = '', ...rest] = (blocks[0] ?? '').split('\n\n');
  const { stdout: printed } = await shell(imports);
  const given = (name: string): string => new RegExp(`^${name} +(\\S+)$`, 'm').exec(printed)?.[1] ?? '';
  const filled = (block: string): string =>
    block.replaceAll('MANIFEST', given('manifestRef')).replaceAll('COUNT', given('sourceCount'));
  example = filled(rest.join('\n\n'));
  schedule = filled(blocks[1] ?? '');
});

afterAll(async () => {
  dev.child.kill('SIGTERM');
  expect((await dev.ended).code).toBe(0);
});

async function writeCommand(name: string, line: string): Promise<void> {
  await writeFile(path.join(folder, 'bin', name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
}

/** Settings of whoever runs the tests do not reach the commands. */
function shell(script: string): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)('/bin/sh', ['-e', '-c', script], {
    cwd: folder,
    env: { PATH: `${path.join(folder, 'bin')}:/usr/bin:/bin`, HOME: folder },
    maxBuffer: 64 * 1024 * 1024,
  });
}

const colligate = (...args: string[]): Promise<CommandResult> => runCommand(args, { cwd: folder });

test('the example makes a report', async () => {
  const { stdout } = await shell(example);
  expect(stdout).toMatch(/"status":\s*"completed"/);
  expect(stdout).toMatch(/## Executive Summary[\s\S]*## Sources/);
  const shown = Report.parse(JSON.parse((await colligate('show', 'nightly:vitamin-d', '--json')).stdout));
  expect(shown).toMatchObject({ id: 'nightly:vitamin-d', question: QUESTION, status: 'completed' });
});

test("a Schedule's runs are asked about, watched and deleted by the ids that it gave them", async () => {
  await shell(schedule);
  const { runId } = await until(
    async () => {
      const { runs } = JSON.parse((await colligate('list', '--json')).stdout) as {
        runs: { runId: string; status: string }[];
      };
      return runs.find((run) => run.runId.startsWith('nightly:again')) ?? { runId: '' };
    },
    (found) => found.runId !== '',
  );
  expect(runId).toMatch(/^nightly:again-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const watched = await colligate('watch', runId, '--out', 'reports', '--json');
  expect(watched.code).toBe(0);
  const { files } = JSON.parse(watched.stdout) as { files: { markdown: string } };
  expect(path.relative(folder, files.markdown)).toMatch(
    /^reports\/nightly-again-[^/]+~[0-9a-f]{12}\/report\.md$/,
  );
  expect((await colligate('status', runId)).stdout).toContain(`Run      ${runId} (report)`);
  expect((await colligate('list')).stdout).toContain(runId);
  expect((await colligate('cancel', runId)).code).toBe(2);
  expect((await colligate('delete', runId)).code).toBe(0);
  await shell('temporal schedule delete --schedule-id vitamin-d');
});

test('an input that is none ends failed at once, with what is missing', async () => {
  await shell(
    `temporal workflow start --task-queue colligate --type report --workflow-id half -i '{"question":"x"}'`,
  );
  const watched = await colligate('watch', 'half');
  expect(watched.code).toBe(1);
  expect(watched.stderr).toMatch(/manifestRef is missing; allowed: .*; sourceCount is missing; allowed: /);
  const status = await colligate('status', 'half');
  expect(status.stdout).toMatch(/^Status {3}failed$/m);
  expect(status.stdout).toMatch(/^Because {2}The input is not that of a report: manifestRef is missing/m);
  expect((await colligate('cancel', 'half')).stderr).toMatch(/has ended/);
});

test('what an import stored goes with it', async () => {
  const imported = await colligate('import', 'examples/vitamin-d', '--json');
  expect(imported.code).toBe(0);
  const { heldBy, ...sources } = JSON.parse(imported.stdout) as { heldBy: string };
  expect(sources).toMatchObject({
    sourceCount: 16,
    warnings: [],
    manifestRef: expect.any(String) as unknown,
  });
  expect((await colligate('delete', heldBy)).code).toBe(0);
  expect((await colligate('delete', heldBy)).code).toBe(2);
  const missing = await colligate('import', 'nowhere', '--json');
  expect(missing).toMatchObject({ code: 2 });
  expect(JSON.parse(missing.stdout)).toMatchObject({ error: { code: 'sources' } });
});
