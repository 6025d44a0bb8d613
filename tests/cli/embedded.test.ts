import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Report } from '../../src/contracts/report/report';
import {
  buildCommandLine,
  newProjectFolder,
  processesOf,
  runCommand,
  startCommand,
} from './command-line-under-test';
import { writeNotes } from './notes';

const QUESTION = 'Does exercise improve sleep?';
let folder: string;

beforeAll(buildCommandLine);
beforeEach(async () => {
  folder = await newProjectFolder();
  await writeNotes(path.join(folder, 'notes'));
});

async function readReport(id: string): Promise<Report> {
  return Report.parse(JSON.parse(await readFile(path.join(folder, 'reports', id, 'report.json'), 'utf8')));
}

test('with no server a report runs on an embedded one, says so, and leaves no process', async () => {
  const result = await runCommand(['report', QUESTION, '--sources', 'notes', '--id', 'alone'], {
    cwd: folder,
  });
  expect(result.stderr).toMatch(/embedded/);
  expect(result.code).toBe(0);
  expect((await readReport('alone')).status).toBe('completed');
  expect(await processesOf(folder)).toEqual([]);

  const list = await runCommand(['list', '--json'], { cwd: folder });
  expect(JSON.parse(list.stdout)).toMatchObject({ runs: [{ runId: 'alone', status: 'completed' }] });
  expect(await processesOf(folder)).toEqual([]);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s to the process group of a run under way leaves a partial report and no process',
  async (signal) => {
    const command = startCommand(['report', QUESTION, '--sources', 'notes', '--id', 'stopped'], {
      cwd: folder,
    });
    await command.said(/^(?:Start|Pass [12]\/4) · /m);
    process.kill(-(command.child.pid ?? 0), signal);
    const result = await command.ended;
    expect({ code: result.code, signal: result.signal }).toEqual({ code: 130 });
    const report = await readReport('stopped');
    expect(['cancelled', 'partial']).toContain(report.status);
    expect(result.stdout).toContain(path.join('reports', 'stopped', 'report.md'));
    expect(await processesOf(folder)).toEqual([]);
  },
);

test('a second Ctrl-C leaves at once, and takes the server along', async () => {
  const command = startCommand(['report', QUESTION, '--sources', 'notes', '--id', 'left'], { cwd: folder });
  await command.said(/^(?:Start|Pass [12]\/4) · /m);
  process.kill(command.child.pid ?? 0, 'SIGINT');
  await command.said(/Ctrl-C again/);
  const presses = setInterval(() => command.child.kill('SIGINT'), 100);
  const result = await command.ended;
  clearInterval(presses);
  expect(result.code).toBe(130);
  expect(await processesOf(folder)).toEqual([]);
});

test('a report that cannot be written is safe in the store, and the command says how to get it', async () => {
  await mkdir(path.join(folder, 'reports'));
  await writeFile(path.join(folder, 'reports', 'blocked'), 'not a folder');
  const result = await runCommand(['report', QUESTION, '--sources', 'notes', '--id', 'blocked'], {
    cwd: folder,
  });
  expect(result.code).toBe(1);
  expect(result.stderr).toMatch(/could not be written to .*It is safe in the store: ".*show blocked/);
  expect(result.stderr).not.toMatch(/should not have happened/);
  const shown = await runCommand(['show', 'blocked'], { cwd: folder });
  expect(shown.stdout).toMatch(/^# /);
});

test('after a killed command watch says at once where the run stands and that nobody works on it', async () => {
  const killed = startCommand(['report', QUESTION, '--sources', 'notes', '--id', 'orphan'], { cwd: folder });
  await killed.said(/^(?:Start|Pass [12]\/4) · /m);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const watch = startCommand(['watch', 'orphan'], { cwd: folder });
  await watch.said(/A command that was killed had left the Temporal server/);
  await watch.said(/^Run orphan: \w+ · (?:Start|Pass \d)/m);
  await watch.said(
    /No worker polls colligate and colligate-computing: the run stands still\. Start one with: .*worker/,
  );
  watch.child.kill('SIGINT');
  expect((await watch.ended).code).toBe(130);
  expect(await processesOf(folder)).toEqual([]);
});

test('leaving at once takes the server along, though a command that used it was killed', async () => {
  const killed = startCommand(['report', QUESTION, '--sources', 'notes', '--id', 'one'], { cwd: folder });
  await killed.said(/^(?:Start|Pass [12]\/4) · /m);
  const second = startCommand(['report', QUESTION, '--sources', 'notes', '--id', 'two'], { cwd: folder });
  await second.said(/^Run two: /m);
  killed.child.kill('SIGKILL');
  await killed.ended;
  second.child.kill('SIGINT');
  const presses = setInterval(() => second.child.kill('SIGTERM'), 100);
  await second.ended;
  clearInterval(presses);
  expect(await processesOf(folder)).toEqual([]);
});

test('a reader that goes away does not make a stack trace', async () => {
  const command = startCommand(['--help'], { cwd: folder });
  command.child.stdout?.destroy();
  const result = await command.ended;
  expect(result.stderr).toBe('');
});
