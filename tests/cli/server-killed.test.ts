import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { serverFiles, ServerRecord } from '../../src/app/temporal/server-record';
import { Report } from '../../src/contracts/report';
import { createGoodModel, type GoodModel } from '../model-server/good-model';
import { type ModelServer, startModelServer } from '../model-server/model-server';
import { comparable } from '../support/kills/run-record';
import { startTestServer } from '../support/temporal-server';
import { until } from '../support/until';
import { newProjectFolder, processesOf, type SpawnedCommand } from './command-line-under-test';
import { modelsAt, useProjectForEach } from './project-under-test';

describe('a killed server of the folder', () => {
  const NOTES = path.resolve(__dirname, '../../examples/vitamin-d');
  const QUESTION = 'Does vitamin D supplementation improve health outcomes in adults?';

  const project = useProjectForEach(() => Promise.resolve());
  let model: GoodModel;
  let server: ModelServer;
  /** How many calls are answered; those behind them wait, so that a run is in the middle of its calls. */
  let answered: number;
  let commands: SpawnedCommand[] = [];

  beforeEach(async () => {
    model = createGoodModel();
    answered = Infinity;
    server = await startModelServer(
      (request, index) =>
        async (...given) => {
          await until(
            async () => answered,
            (count) => index < count,
          );
          await model.answer(request)(...given);
        },
      { models: ['small', 'large'] },
    );
  });
  afterEach(async () => {
    for (const { child } of commands) if (child.exitCode === null) child.kill('SIGKILL');
    commands = [];
    await server.close();
  });

  function start(line: string): SpawnedCommand {
    const command = project.spawn(line, { env: modelsAt(server.baseUrl) });
    commands.push(command);
    return command;
  }

  function report(id: string): SpawnedCommand {
    return start(`report "${QUESTION}" --sources "${NOTES}" --id ${id}`);
  }

  async function serverRecord(): Promise<ServerRecord> {
    return ServerRecord.parse(
      JSON.parse(await readFile(serverFiles(path.join(project.folder, '.colligate')).record, 'utf8')),
    );
  }

  async function killServer(): Promise<ServerRecord> {
    const record = await serverRecord();
    process.kill(record.pid, 'SIGKILL');
    return record;
  }

  /** Holds the calls of the run that comes next, so that the server is killed before it is over. */
  function holdCalls(): void {
    answered = server.asked.length;
  }

  /** Kills it at two moments of a run of six calls, and waits each time for another one at the same address. */
  async function killServerTwice(): Promise<void> {
    const before = answered;
    for (const calls of [2, 5]) {
      answered = before + calls - 1;
      await until(
        async () => server.asked.length,
        (asked) => asked > answered,
      );
      const { pid, address } = await killServer();
      // What is under way is answered while no server is there.
      answered += 1;
      await until(
        () => serverRecord().catch(() => null),
        (next) => next !== null && next.pid !== pid && next.address === address,
      );
    }
    answered = Infinity;
  }

  async function written(id: string): Promise<unknown> {
    const json = await project.read(`reports/${id}/report.json`);
    // Both were begun at a time of their own, and say so.
    const { asOf } = Report.parse(JSON.parse(json)).provenance;
    const report = Report.parse(JSON.parse(json.replaceAll(asOf, '2026-01-01T00:00:00.000Z')));
    // Versions are named by their content, and that says it too.
    for (const version of report.judge?.versions ?? []) version.reportRef = version.markdownRef;
    return comparable({ report, markdown: await project.read(`reports/${id}/report.md`) });
  }

  /** What an undisturbed run of the same id leaves, and how many calls it makes; answers are kept by folder. */
  async function undisturbed(): Promise<{ left: unknown; calls: number }> {
    expect((await report('same').ended).code).toBe(0);
    const left = await written('same');
    const calls = server.asked.length;
    project.folder = await newProjectFolder();
    return { left, calls };
  }

  test('a report that owns its server brings it back, twice, and ends with the bytes of an undisturbed one', async () => {
    const { left, calls } = await undisturbed();
    holdCalls();
    const disturbed = report('same');
    await killServerTwice();
    const { code, stderr } = await disturbed.ended;
    expect(stderr).toMatch(/has ended\. It is started again/);
    // What was said of it tells why one ended otherwise.
    expect(code === 0 ? '' : stderr).toBe('');
    expect(code).toBe(0);
    expect(await written('same')).toEqual(left);
    expect(server.asked.length).toBe(2 * calls);
    expect(await processesOf(project.folder)).toEqual([]);
  });

  test('a worker reconnects to the server that another process brings back', async () => {
    const serving = start('server');
    await serving.said(/Ctrl-C stops it/);
    const worker = start('worker');
    await worker.said(/Ctrl-C stops it/);
    holdCalls();
    const detached = start(`report "${QUESTION}" --sources "${NOTES}" --id same --detach`);
    expect((await detached.ended).code).toBe(0);
    await killServerTwice();
    expect((await start('watch same').ended).code).toBe(0);
    await serving.said(/answers again/);
    for (const { child } of [worker, serving]) child.kill('SIGTERM');
    expect((await worker.ended).code).toBe(0);
    expect((await serving.ended).code).toBe(0);
    expect(await processesOf(project.folder)).toEqual([]);
  });
});

describe('a server that is away', () => {
  const { spawn: start } = useProjectForEach();
  const REPORT = 'report "Does exercise improve sleep?" --sources notes';

  function stop(command: SpawnedCommand): void {
    if (command.child.exitCode === null) command.child.kill('SIGKILL');
  }

  test('a report whose server is away says so, and at Ctrl-C that it cancels and how to leave', async () => {
    const server = await startTestServer();
    const given = { env: { TEMPORAL_ADDRESS: server.address } };
    const report = start(REPORT, given);
    try {
      await report.said(/Gathering/);
      await server.kill();
      await report.said(/No news of the run: the Temporal server does not answer\./);
      report.child.kill('SIGINT');
      await report.said(/Cancelling: .*Ctrl-C again leaves at once/);
      await report.said(/Not cancelled yet: the Temporal server does not answer/);
      report.child.kill('SIGTERM');
      const { code, stderr } = await report.ended;
      expect(code).toBe(130);
      expect(stderr).not.toMatch(/"level":|gRPC|DEADLINE_EXCEEDED/);
    } finally {
      stop(report);
      await server.stop();
    }
  });
});
