import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { join, resolve } from 'node:path';
import { WithStartWorkflowOperation, type Client, type Connection } from '@temporalio/client';
import { loadConfig } from '../../../src/config/config';
import { modelChoices } from '../../../src/config/model-choices';
import type { Answer } from '../../../src/contracts/answer/answer';
import { connectClient } from '../../../src/temporal/connect';
import type { answer } from '../../../src/workflows';
import { replyUpdate } from '../../../src/workflows/answer/messages';
import { openDurabilityBench, SHORT_HEARTBEATS, type DurabilityBench } from '../durability/durability-bench';
import type { HoldingModelWorkerOptions } from '../model-runs/holding-model-worker';
import { answers } from '../../model-server/behaviours';
import { startModelServer, type ModelServer } from '../../model-server/model-server';
import { until } from '../../support/until';
import { type Question } from './answer-bench';
import { OBSERVATIONS, TRUE_CLAIM } from '../../support/answer-script';

const QUESTION = 'What does DAIL-SQL use?';
const ROOT = resolve(__dirname, '../../..');

let bench: DurabilityBench;
let server: ModelServer;
let temporal: { client: Client; connection: Connection };
const children: ChildProcess[] = [];

beforeAll(async () => {
  bench = await openDurabilityBench();
  server = await startModelServer(() => answers(`${TRUE_CLAIM.replace(/\.$/, '')} [1].`));
  const { baseUrl } = server;
  const openai = { baseUrl, models: { fast: 'small', strong: 'large' } };
  await writeFile(join(bench.folder, 'colligate.config.json'), JSON.stringify({ openai }));
  const config = loadConfig({ cwd: bench.folder, env: {} });
  temporal = await connectClient({ ...config.temporal, address: bench.server.address });
});

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await temporal.connection.close();
  await server.close();
  await bench.close();
});

function ask(requestId: string, question: Question): Promise<Answer> {
  return temporal.client.workflow.executeUpdateWithStart(replyUpdate, {
    startWorkflowOperation: new WithStartWorkflowOperation<typeof answer>('answer', {
      workflowId: requestId,
      taskQueue: loadConfig({ cwd: bench.folder, env: {} }).temporal.taskQueue,
      args: [{ outages: SHORT_HEARTBEATS, ...question }],
      workflowIdConflictPolicy: 'USE_EXISTING',
    }),
  });
}

/** A worker that asks the models, and stops for ever as soon as the first answer of the request is kept. */
async function startModelWorker(runId: string): Promise<{ held: Promise<void>; kill(): Promise<void> }> {
  const hold = { runId, at: 'after the cache write', request: 1 } as const;
  const options: HoldingModelWorkerOptions = {
    cwd: bench.folder,
    address: bench.server.address,
    holds: [hold],
  };
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(__dirname, '../model-runs/holding-model-worker.ts'), JSON.stringify(options)],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  children.push(child);
  const said = new Set<string>();
  createInterface({ input: child.stdout }).on('line', (line) => said.add(line));
  const hears = async (line: unknown): Promise<void> => {
    await until(
      async () => said.has(JSON.stringify(line)),
      (isSaid) => isSaid,
      200_000,
    );
  };
  await hears({ ready: true });
  return {
    held: hears({ held: hold }),
    async kill() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

it('a caller that waits gets its answer although the worker is killed in the attempt', async () => {
  const holds = [{ runId: 'killed', at: 'asked', step: 'answer' } as const];
  const worker = await bench.startHoldingWorker(holds);
  const waiting = ask('killed', { question: QUESTION, observations: OBSERVATIONS });
  await worker.holds(holds[0] ?? never());
  await worker.kill();
  const other = await bench.startWorker();
  const reply = await waiting;
  expect(reply).toMatchObject({ outcome: 'answered', diagnostics: { attempts: 1, failure: null } });
  const written = (await bench.stores.events.read('killed')).filter(({ type }) => type === 'attempt');
  expect(written).toHaveLength(1);
  await other.kill();
});

it('asks a model nothing twice where the worker is killed behind its answer', async () => {
  const first = await startModelWorker('killed-asking');
  const models = modelChoices(loadConfig({ cwd: bench.folder, env: {} }).openai);
  const before = server.asked.length;
  const question = { question: QUESTION, observations: OBSERVATIONS, engine: 'openai', models } as const;
  const waiting = ask('killed-asking', question);
  await first.held;
  await first.kill();
  const second = await bench.startWorker();
  const reply = await waiting;
  expect(reply).toMatchObject({ outcome: 'answered', usage: { calls: 0, cachedCalls: 1 } });
  expect(reply.answer).toContain('[1]');
  expect(server.asked.length - before).toBe(1);
  await second.kill();
});

it('a caller gets its answer although the server is killed and started again meanwhile', async () => {
  const hold = { runId: 'restarted', at: 'asked', step: 'answer' } as const;
  const worker = await bench.startHoldingWorker([hold]);
  const question = { question: QUESTION, observations: OBSERVATIONS };
  const waiting = ask('restarted', question).catch(() => ask('restarted', question));
  await worker.holds(hold);
  await bench.server.restart();
  worker.signal('SIGUSR2');
  const reply = await waiting.catch(() => ask('restarted', question));
  expect(reply).toMatchObject({ outcome: 'answered', diagnostics: { attempts: 1 } });
  await worker.kill();
});

function never(): never {
  throw new Error('there is a hold');
}
