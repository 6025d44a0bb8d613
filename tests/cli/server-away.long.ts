import { startTestServer } from '../support/temporal-server';
import type { SpawnedCommand } from './command-line-under-test';
import { useProjectForEach } from './project-under-test';

const { spawn: start } = useProjectForEach();
const REPORT = 'report "Does exercise improve sleep?" --sources notes';

function stop(command: SpawnedCommand): void {
  if (command.child.exitCode === null) command.child.kill('SIGKILL');
}

test('a worker waits for a server that somebody else runs, and works on when it is back', async () => {
  const server = await startTestServer();
  const given = { env: { TEMPORAL_ADDRESS: server.address } };
  const worker = start('worker', given);
  let report: SpawnedCommand | null = null;
  try {
    await worker.said(/Ctrl-C stops it/);
    await server.kill();
    await worker.said(/does not answer\. Waiting until it does/);
    await server.restart();
    await worker.said(/answers again/);
    report = start(`${REPORT} --json`, given);
    expect((await report.ended).code).toBe(0);
    worker.child.kill('SIGTERM');
    const { code, stderr } = await worker.ended;
    expect(code).toBe(0);
    expect(stderr.match(/does not answer/g)).toHaveLength(1);
  } finally {
    stop(worker);
    if (report !== null) stop(report);
    await server.stop();
  }
});
