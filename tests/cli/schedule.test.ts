import { execFile } from 'node:child_process';
import { access, chmod, cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { loadConfig } from '../../src/config/config';
import { Report } from '../../src/contracts/report/report';
import { findServerBinary } from '../../src/temporal/find-server-binary';
import { until } from '../support/until';
import type { CommandResult, RunningCommand } from './command-line-under-test';
import { useDevProject, useProject } from './project-under-test';

describe('schedule', () => {
  const project = useProject();
  let worker: RunningCommand;

  afterAll(async () => {
    worker.stop();
    await worker.ended;
  });

  const QUESTION = 'Does exercise improve sleep?';
  const REPORT = `report "${QUESTION}" --sources notes`;
  const schedule = (line: string): Promise<CommandResult> => project.colligate(`schedule ${line}`);

  test.each([
    [
      'a bad duration',
      `create a --every soon ${REPORT}`,
      '--every is "soon"; allowed: a duration of up to 520w, such as 30s',
    ],
    ['no times', `create a ${REPORT}`, 'give --cron EXPR or --every DURATION'],
    ['an unknown overlap', `create a --every 1d --overlap twice ${REPORT}`, 'Allowed choices are skip'],
    ['another command', 'create a --every 1d show x', '"show" is no command of a run'],
    ['an id', `create a --every 1d ${REPORT} --id mine`, '--id is of no use here'],
    [
      'a missing folder',
      `create a --every 1d report "${QUESTION}" --sources nowhere`,
      'there is no such file or folder',
    ],
    ['an empty question', 'create a --every 1d answer " " --sources notes', 'QUESTION is empty'],
    ['a flag of a run that is none', `create a --every 1d ${REPORT} --wrods 9`, "unknown option '--wrods'"],
  ])('%s is refused before anything is made', async (_what, line, why) => {
    const { code, stderr } = await schedule(line);
    expect(stderr).toContain(why);
    expect(code).toBe(2);
    await expect(access(path.join(project.folder, '.colligate'))).rejects.toThrow('ENOENT');
    await expect(access(path.join(project.folder, 'reports'))).rejects.toThrow('ENOENT');
  });

  test('a schedule is made, shown, triggered, paused, resumed and deleted; its runs are runs as any', async () => {
    worker = project.start('worker');
    await worker.said(/Worker /);
    const times = '--cron "0 9 1 1 *" --time-zone Europe/Berlin --catch-up 1h30m --note "for the board"';
    const made = await schedule(`create yearly ${times} ${REPORT} --words 900`);
    expect(made).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Schedule yearly is made\. It fires next at \d{4}-01-01T08:00:00/),
    });
    expect((await schedule(`create yearly ${times} ${REPORT}`)).stderr).toContain(
      'There is a schedule "yearly" already',
    );
    const shown = (await schedule('show yearly')).stdout;
    expect(shown).toMatch(/Fires: +0 9 1 1 \* \(Europe\/Berlin\)/);
    expect(shown).toMatch(/Overlap: +skip/);
    expect(shown).toMatch(/Catch-up: +1h30m/);
    expect(shown).toContain(path.join(project.folder, 'notes'));

    expect((await schedule('pause yearly')).code).toBe(0);
    const listed = await until(
      () => schedule('list'),
      ({ stdout }) => /yearly .*paused/.test(stdout),
    );
    expect(listed.stdout).toContain(QUESTION);
    expect((await schedule('resume yearly')).code).toBe(0);
    expect((await schedule('trigger yearly')).code).toBe(0);
    const fired = await until(
      () => schedule('show yearly --json'),
      ({ stdout }) => /"status": ?"(completed|failed)"/.test(stdout),
    );
    const { firings } = JSON.parse(fired.stdout) as { firings: { runId: string; status: string }[] };
    expect(firings).toMatchObject([
      { status: 'completed', runId: expect.stringMatching(/^yearly-\d{8}-\d{6}$/) },
    ]);
    const runId = firings[0]?.runId ?? '';
    const runs = await project.colligate('list --json');
    expect(JSON.parse(runs.stdout)).toMatchObject({ runs: [{ runId, schedule: 'yearly' }] });

    expect((await schedule('delete yearly')).code).toBe(0);
    expect(await schedule('show yearly')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no schedule "yearly".'),
    });
    expect((await project.colligate(`show ${runId}`)).stdout).toContain('## Executive Summary');
  });
});

describe('docs/interface.md', () => {
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
    await writeCommand(
      'colligate',
      `exec '${process.execPath}' '${path.join(ROOT, 'dist/cli/main.js')}' "$@"`,
    );

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
});
