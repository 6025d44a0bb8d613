import { Report } from '../../src/contracts/report/report';
import { processesOf, type CommandResult } from './command-line-under-test';
import { useProjectForEach } from './project-under-test';

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

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s to the process group of a run under way leaves a partial report and no process',
  async (signal) => {
    const command = start(`${REPORT} --id stopped`);
    await command.said(UNDER_WAY);
    process.kill(-(command.child.pid ?? 0), signal);
    const result = await command.ended;
    expect({ code: result.code, signal: result.signal }).toEqual({ code: 130 });
    const report = await readReport('stopped');
    expect(['cancelled', 'partial']).toContain(report.status);
    expect(result.stdout).toContain('reports/stopped/report.md');
    expect(await processesOf(project.folder)).toEqual([]);
  },
);

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

test('a report that cannot be written is safe in the store, and the command says how to get it', async () => {
  await project.write('reports/blocked', 'not a folder');
  const result = await colligate(`${REPORT} --id blocked`);
  expect(result.code).toBe(1);
  expect(result.stderr).toMatch(/could not be written to .*It is safe in the store: ".*show blocked/);
  expect(result.stderr).not.toMatch(/should not have happened/);
  const shown = await colligate('show blocked');
  expect(shown.stdout).toMatch(/^# /);
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

test('leaving at once takes the server along, though a command that used it was killed', async () => {
  const killed = start(`${REPORT} --id one`);
  await killed.said(UNDER_WAY);
  const second = start(`${REPORT} --id two`);
  await second.said(/^Run two: /m);
  killed.child.kill('SIGKILL');
  await killed.ended;
  second.child.kill('SIGINT');
  const presses = setInterval(() => second.child.kill('SIGTERM'), 100);
  await second.ended;
  clearInterval(presses);
  expect(await processesOf(project.folder)).toEqual([]);
});

test('a reader that goes away does not make a stack trace', async () => {
  const command = start('--help');
  command.child.stdout?.destroy();
  const result = await command.ended;
  expect(result.stderr).toBe('');
});
