import { cp, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Report } from '../../../src/contracts/report';
import { newProjectFolder, type SpawnedCommand } from '../../cli/command-line-under-test';
import { modelsAt, useProject } from '../../cli/project-under-test';
import { createGoodModel } from '../../model-server/good-model';
import { type ModelServer, startModelServer } from '../../model-server/model-server';
import { comparable } from '../../support/kills/run-record';
import { until } from '../../support/until';

describe('a copy of the folder of one machine', () => {
  const NOTES = path.resolve(__dirname, '../../../examples/vitamin-d');
  const QUESTION = 'Does vitamin D supplementation improve health outcomes in adults?';

  const project = useProject(() => Promise.resolve());
  let server: ModelServer;
  /** The number of calls that the model answers; later calls wait. */
  let answered = 4;
  const commands: SpawnedCommand[] = [];

  beforeAll(async () => {
    const model = createGoodModel();
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
  afterAll(async () => {
    for (const { child } of commands) if (child.exitCode === null) child.kill('SIGKILL');
    await server.close();
  });

  function start(line: string): SpawnedCommand {
    const command = project.spawn(line, {
      env: { ...modelsAt(server.baseUrl), COLLIGATE_SHUTDOWN_GRACE_MS: '500' },
    });
    commands.push(command);
    return command;
  }

  async function succeeds(line: string): Promise<void> {
    const { code, stderr } = await start(line).ended;
    expect(code === 0 ? '' : stderr).toBe('');
  }

  async function startDev(): Promise<{ stop(): Promise<void> }> {
    const dev = start('dev');
    await dev.said(/Ctrl-C stops it/);
    return {
      async stop() {
        dev.child.kill('SIGTERM');
        expect((await dev.ended).code).toBe(0);
      },
    };
  }

  /** Lets the run end under a new `dev` in a folder, and gives its report. */
  async function reportOf(folder: string): Promise<unknown> {
    project.folder = folder;
    const dev = await startDev();
    await succeeds('watch same');
    await mkdir(path.join(folder, 'out'));
    for (const format of ['json', 'md'])
      await succeeds(`export same --format ${format} --out out/report.${format}`);
    await dev.stop();
    const [report, markdown] = await Promise.all([
      readFile(path.join(folder, 'out/report.json'), 'utf8').then((json) => Report.parse(JSON.parse(json))),
      readFile(path.join(folder, 'out/report.md'), 'utf8'),
    ]);
    return comparable({ report, markdown });
  }

  test('that was made in the middle of a run ends the run with the same report', async () => {
    const original = project.folder;
    const dev = await startDev();
    await succeeds(`report "${QUESTION}" --sources "${NOTES}" --id same --detach`);
    await until(
      async () => server.asked.length,
      (asked) => asked > answered,
    );
    await dev.stop();
    const restored = await newProjectFolder();
    await cp(path.join(original, '.colligate'), path.join(restored, '.colligate'), { recursive: true });
    answered = Infinity;
    const report = await reportOf(original);
    const calls = server.asked.length;
    expect(await reportOf(restored)).toEqual(report);
    // The copy has the answers that came before it was made, and does not ask for them again.
    expect(server.asked.length - calls).toBeLessThan(calls);
  });
});
