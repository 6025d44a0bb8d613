import { execFile } from 'node:child_process';
import { chmod, cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { loadConfig } from '../../src/config/config';
import { Report } from '../../src/contracts/report/report';
import { findServerBinary } from '../../src/temporal/find-server-binary';
import { until } from '../support/until';
import { useDevProject } from './project-under-test';

/** What docs/interface.md shows, done as it stands there, with the `temporal` command. */
const ROOT = path.join(__dirname, '..', '..');
const QUESTION = 'Does vitamin D supplementation improve health outcomes, and by how much?';

const project = useDevProject(({ folder }) =>
  cp(path.join(ROOT, 'examples'), path.join(folder, 'examples'), { recursive: true }),
);
const { colligate, json } = project;
/** The documented blocks, with what the import printed in its places. */
let example: string;
let schedule: string;

beforeAll(async () => {
  const { path: server } = await findServerBinary(loadConfig());
  await writeCommand(
    'temporal',
    `exec '${server}' "$@" --address ${project.env['TEMPORAL_ADDRESS']} --namespace ${project.env['TEMPORAL_NAMESPACE']}`,
  );
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

async function writeCommand(name: string, line: string): Promise<void> {
  await project.write(`bin/${name}`, `#!/bin/sh\n${line}\n`);
  await chmod(path.join(project.folder, 'bin', name), 0o755);
}

/** Settings of whoever runs the tests do not reach the commands. */
function shell(script: string): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)('/bin/sh', ['-e', '-c', script], {
    cwd: project.folder,
    env: { PATH: `${project.folder}/bin:/usr/bin:/bin`, HOME: project.folder, ...project.env },
    maxBuffer: 64 * 1024 * 1024,
  });
}

test('the example makes a report', async () => {
  const { stdout } = await shell(example);
  expect(stdout).toMatch(/"status":\s*"completed"/);
  expect(stdout).toMatch(/## Executive Summary[\s\S]*## Sources/);
  const shown = Report.parse(await json('show nightly:vitamin-d --json'));
  expect(shown).toMatchObject({ id: 'nightly:vitamin-d', question: QUESTION, status: 'completed' });
});

test("a Schedule's runs are asked about, watched and deleted by the ids that it gave them", async () => {
  await shell(schedule);
  const { runId } = await until(
    async () => {
      const { runs } = await json<{ runs: { runId: string }[] }>('list --json');
      return runs.find((run) => run.runId.startsWith('nightly:again')) ?? { runId: '' };
    },
    (found) => found.runId !== '',
  );
  expect(runId).toMatch(/^nightly:again-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const watched = await colligate(`watch ${runId} --out reports --json`);
  expect(watched.code).toBe(0);
  const { files } = JSON.parse(watched.stdout) as { files: { markdown: string } };
  expect(path.relative(project.folder, files.markdown)).toMatch(
    /^reports\/nightly-again-[^/]+~[0-9a-f]{12}\/report\.md$/,
  );
  expect((await colligate(`status ${runId}`)).stdout).toContain(`Run      ${runId} (report)`);
  expect((await colligate('list')).stdout).toContain(runId);
  expect((await colligate(`cancel ${runId}`)).code).toBe(2);
  expect((await colligate(`delete ${runId}`)).code).toBe(0);
  await shell('temporal schedule delete --schedule-id vitamin-d');
});

test('an input that is none ends failed at once, with what is missing', async () => {
  await shell(
    `temporal workflow start --task-queue colligate --type report --workflow-id half -i '{"question":"x"}'`,
  );
  const watched = await colligate('watch half');
  expect(watched.code).toBe(1);
  expect(watched.stderr).toMatch(/manifestRef is missing; allowed: .*; sourceCount is missing; allowed: /);
  const status = await colligate('status half');
  expect(status.stdout).toMatch(/^Status {3}failed$/m);
  expect(status.stdout).toMatch(/^Because {2}The input is not that of a report: manifestRef is missing/m);
  expect((await colligate('cancel half')).stderr).toMatch(/has ended/);
});

test('what an import stored goes with it', async () => {
  const { heldBy, ...sources } = await json<{ heldBy: string }>('import examples/vitamin-d --json');
  expect(sources).toMatchObject({
    sourceCount: 16,
    warnings: [],
    manifestRef: expect.any(String) as unknown,
  });
  expect((await colligate(`delete ${heldBy}`)).code).toBe(0);
  expect((await colligate(`delete ${heldBy}`)).code).toBe(2);
  const missing = await colligate('import nowhere --json');
  expect(missing).toMatchObject({ code: 2 });
  expect(JSON.parse(missing.stdout)).toMatchObject({ error: { code: 'sources' } });
});
