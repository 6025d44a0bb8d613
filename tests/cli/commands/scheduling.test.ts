import { access } from 'node:fs/promises';
import path from 'node:path';
import { until } from '../../support/until';
import type { CommandResult, RunningCommand } from '../command-line-under-test';
import { useProject } from '../project-under-test';

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
    ['a name that every object has', 'create a --every 1d toString x', '"toString" is no command of a run'],
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
