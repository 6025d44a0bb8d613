import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { loadConfig } from '../../../src/config/config';
import { modelChoices } from '../../../src/config/model-choices';
import { Brief } from '../../../src/contracts/brief/brief';
import { connectClient } from '../../../src/temporal/connect';
import { briefModel } from '../../model-server/brief-model';
import { messagesOf } from '../../model-server/good-model';
import { startModelServer, type ModelServer } from '../../model-server/model-server';
import { until } from '../../support/until';
import { openDurabilityBench, type DurabilityBench } from '../durability/durability-bench';
import type { HoldingModelWorkerOptions } from '../model-runs/holding-model-worker';
import { QUESTION, SUBTOPICS } from './brief-bench';

const ROOT = resolve(__dirname, '../../..');

let bench: DurabilityBench;
let server: ModelServer;
let child: ChildProcess | null = null;

beforeAll(async () => {
  bench = await openDurabilityBench();
  server = await startModelServer(
    briefModel({
      brief: (text) => text.replace(/## Caffeine[^]*?(?=## )/, ''),
      judge: (text) =>
        text.includes('[subtopic-2]') ? { score: 5, parts: [] } : { score: 2, parts: ['subtopic-2'] },
    }),
  );
});
afterAll(async () => {
  child?.kill('SIGKILL');
  await bench.close();
  await server.close();
});

/** A worker that stops, until it is killed, when it is in the log that the run's text was judged. */
async function untilJudged(runId: string): Promise<void> {
  const holds: HoldingModelWorkerOptions['holds'] = [{ runId, at: 'after a judgement' }];
  const options: HoldingModelWorkerOptions = { cwd: bench.folder, address: bench.server.address, holds };
  const script = join(ROOT, 'tests/system/model-runs/holding-model-worker.ts');
  child = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(options)], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = new Set<string>();
  if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', (line) => said.add(line));
  await until(
    async () => said.has(JSON.stringify({ held: holds[0] })),
    (isHeld) => isHeld,
    120_000,
  );
}

it('a worker killed between judge and revision costs no version, and no call is asked twice', async () => {
  const settings = { baseUrl: server.baseUrl, models: { fast: 'small', strong: 'large' } };
  await writeFile(join(bench.folder, 'colligate.config.json'), JSON.stringify({ openai: settings }));
  const { openai, temporal } = loadConfig({ cwd: bench.folder, env: {} });
  const { connection, client } = await connectClient({ ...temporal, address: bench.server.address });
  try {
    const input = {
      question: QUESTION,
      subtopics: SUBTOPICS,
      engine: 'openai',
      models: modelChoices(openai),
    };
    const started = client.workflow.start('brief', {
      workflowId: 'killed',
      taskQueue: temporal.taskQueue,
      args: [input],
    });
    const handle = await started;
    await untilJudged('killed');
    const ended = child === null ? null : once(child, 'exit');
    child?.kill('SIGKILL');
    await ended;
    await bench.startWorker();
    const { reportRef } = (await handle.result()) as { reportRef: string };
    const { content, events } = bench.stores;
    const brief = Brief.parse(JSON.parse((await content.retrieve(reportRef)) ?? 'null'));
    expect(brief.judge).toMatchObject({ version: 2, passed: true });
    expect(brief.judge?.versions.map(({ n, revised }) => [n, revised])).toEqual([
      [1, []],
      [2, ['subtopic-2']],
    ]);
    const first = await content.retrieve(brief.judge?.versions[0]?.markdownRef ?? '');
    expect(first).toContain('### Exercise');
    expect(first).not.toContain('### Caffeine');
    expect(brief.markdown).toContain('### Caffeine');
    const judged = (await events.read('killed')).filter(({ type }) => type === 'judge');
    expect(judged).toHaveLength(2);
    const asked = server.asked.map((request) => messagesOf(request).join('\n'));
    expect(new Set(asked).size).toBe(asked.length);
  } finally {
    await connection.close();
  }
});
