import { cp } from 'node:fs/promises';
import path from 'node:path';
import { Report } from '../../src/contracts/report';
import {
  COMMAND_LINE,
  type CommandResult,
  newProjectFolder,
  processesOf,
  spawnProgram,
} from './command-line-under-test';
import { useProject, useProjectForEach } from './project-under-test';

describe('an embedded server', () => {
  const REPORT = 'report "Does exercise improve sleep?" --sources notes';
  const UNDER_WAY = /^(?:Start|Pass [12]\/4) · /m;
  const project = useProjectForEach();
  const { spawn: start } = project;
  const colligate = (line: string): Promise<CommandResult> => start(line).ended;

  async function readReport(id: string): Promise<Report> {
    return Report.parse(JSON.parse(await project.read(`reports/${id}/report.json`)));
  }

  test('with no server a report runs on an embedded one, says so, and leaves no process', async () => {
    const result = await colligate(`${REPORT} --id alone`);
    expect(result.stderr).toMatch(/embedded/);
    expect(result.code).toBe(0);
    expect((await readReport('alone')).status).toBe('completed');
    expect(await processesOf(project.folder)).toEqual([]);

    expect(JSON.parse((await colligate('list --json')).stdout)).toMatchObject({
      runs: [{ runId: 'alone', status: 'completed' }],
    });
    expect(await processesOf(project.folder)).toEqual([]);
  });

  test('Ctrl-C to the process group of a run under way leaves a partial report and no process', async () => {
    const command = start(`${REPORT} --id stopped`);
    await command.said(UNDER_WAY);
    process.kill(-command.pid, 'SIGINT');
    const result = await command.ended;
    expect({ code: result.code, signal: result.signal }).toEqual({ code: 130 });
    const report = await readReport('stopped');
    expect(['cancelled', 'partial']).toContain(report.status);
    expect(result.stdout).toContain('reports/stopped/report.md');
    expect(await processesOf(project.folder)).toEqual([]);
  });

  test('a second Ctrl-C leaves at once, and takes the server along', async () => {
    const command = start(`${REPORT} --id left`);
    await command.said(UNDER_WAY);
    process.kill(command.child.pid ?? 0, 'SIGINT');
    await command.said(/Ctrl-C again/);
    const presses = setInterval(() => command.child.kill('SIGINT'), 100);
    const result = await command.ended;
    clearInterval(presses);
    expect(result.code).toBe(130);
    expect(await processesOf(project.folder)).toEqual([]);
  });

  test('after a killed command watch says at once where the run stands and that nobody works on it', async () => {
    const killed = start(`${REPORT} --id orphan`);
    await killed.said(UNDER_WAY);
    killed.child.kill('SIGKILL');
    await killed.ended;
    const watch = start('watch orphan');
    await watch.said(/A command that was killed had left the Temporal server/);
    await watch.said(/^Run orphan: \w+ · (?:Start|Pass \d)/m);
    await watch.said(
      /No worker polls colligate and colligate-computing: the run stands still\. Start one with: .*worker/,
    );
    watch.child.kill('SIGINT');
    expect((await watch.ended).code).toBe(130);
    expect(await processesOf(project.folder)).toEqual([]);
  });
});

describe('standard output that cannot be written', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await newProjectFolder();
  });

  /** Runs the command line in a shell, which redirects its output. */
  function inShell(line: string): ReturnType<typeof spawnProgram>['ended'] {
    const script = `const { spawnSync } = require('node:child_process');
    const { status } = spawnSync('bash', ['-o', 'pipefail', '-c', process.argv[1]], { stdio: 'inherit' });
    process.exit(status);`;
    const command = line.replaceAll('colligate', `"${process.execPath}" "${COMMAND_LINE}"`);
    return spawnProgram(['--eval', script, command], { cwd: folder }).ended;
  }

  test.each(['--help', 'doctor --json'])('%s on a full disk is one sentence and a failure', async (args) => {
    const { code, stderr } = await inShell(`colligate ${args} > /dev/full`);
    expect(stderr).toBe('error: Standard output could not be written: the disk is full.\n');
    expect(code).toBe(1);
  });

  test('where nothing can be said, the exit code still tells', async () => {
    expect(await inShell('colligate status "" 2> /dev/full')).toMatchObject({ code: 2, stdout: '' });
    expect(await inShell('colligate --version > /dev/full 2> /dev/full')).toMatchObject({ code: 1 });
  });
});

describe('a killed verify', () => {
  const EXAMPLES = path.resolve(__dirname, '../../examples');
  /** With the folder in it, by which what is left of the process is found. */
  const verify = (): string =>
    `verify answer.md --sources "${project.folder}/notes" --annotate out/checked.md --out out/found.json --json`;
  const OLD = 'What an earlier command has written.\n';

  let undisturbed: Written;

  interface Written {
    stdout: string;
    annotated: string;
    found: string;
  }

  const project = useProject(async ({ folder, write }) => {
    await cp(path.join(EXAMPLES, 'vitamin-d'), path.join(folder, 'notes'), { recursive: true });
    await cp(path.join(EXAMPLES, 'answer.md'), path.join(folder, 'answer.md'));
    await write('out/checked.md', OLD);
  });
  const { colligate } = project;
  beforeAll(async () => {
    undisturbed = await written(await colligate(verify()));
  });

  async function written({ stdout }: Pick<CommandResult, 'stdout'>): Promise<Written> {
    return {
      stdout,
      annotated: await project.read('out/checked.md'),
      found: await project.read('out/found.json'),
    };
  }

  test.each<[at: string, left: (old: Written, whole: Written) => Written]>([
    ['claim 3', (old) => old],
    ['draft 1', (old) => old],
    ['draft 2', (old, { annotated }) => ({ ...old, annotated })],
  ])(
    'verify killed at %s leaves each file as it was or whole, and nothing behind; the next one is as any',
    async (at, left) => {
      const old = { stdout: '', annotated: OLD, found: OLD };
      for (const file of ['out/checked.md', 'out/found.json']) await project.write(file, OLD);
      const before = await processesOf(project.folder);
      const preload = path.join(__dirname, 'hold-verify.cjs');
      const killed = project.spawn(verify(), { env: { HOLD_AT: at, NODE_OPTIONS: `--require ${preload}` } });
      await killed.said(/^held$/m);
      killed.child.kill('SIGKILL');
      expect(await written(await killed.ended)).toEqual(left(old, undisturbed));
      expect(await processesOf(project.folder)).toEqual(before);

      expect(await written(await colligate(verify()))).toEqual(undisturbed);
    },
  );
});
