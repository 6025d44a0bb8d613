// What grows with the number of sources: the same kind of documents, more and more of them.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../checkout.mjs';
import { activitiesAt, byActivity, historyFigures } from './history-figures.mjs';
import { ownEnvironment, withWorker } from './measure-round.mjs';
import { watchProcess } from './process-usage.mjs';

export const GROWTH = [500, 5_000, 50_000];

const RUN_ID = 'growth';
const POLL_MS = 200;
/** In which the system counts what a file takes. */
const BLOCK_BYTES = 512;

const require = createRequire(import.meta.url);
const built = (file) => require(join(root, 'dist', file));

/** A run over so many documents made of the studies, in an empty folder: client, server and worker are processes of their own. */
export async function measureGrowth({ studies, question, count }) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'colligate-growth-'));
  try {
    const path = join(folder, 'mixed.jsonl');
    writeDocuments(studies, count, path);
    const run = await withWorker((around) => measureRun(around, { path, question }));
    return { count, inputBytes: statSync(path).size, ...run };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeDocuments(studies, count, path) {
  const script = join(root, 'tests', 'support', 'mixed-studies', 'write-mixed-studies.ts');
  const written = spawnSync(process.execPath, ['--import', 'tsx', script, studies, String(count), path], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (written.status !== 0) throw new Error(`${count} documents could not be written`);
}

async function measureRun({ session, folder, config, worker }, { path, question }) {
  const watched = watchProcess(worker.pid);
  try {
    const client = await startByCommand(folder, path, question);
    const { client: temporal } = session;
    const handle = temporal.workflow.getHandle(RUN_ID);
    let described = await handle.describe();
    while (described.status.name === 'RUNNING') {
      if (worker.child.exitCode !== null) throw new Error(`The worker ended with ${worker.child.exitCode}`);
      await sleep(POLL_MS);
      described = await handle.describe();
    }
    const usage = watched.stop();
    if (described.status.name !== 'COMPLETED') throw new Error(`The run ended as ${described.status.name}`);
    const executions = await executionsOf(temporal, described);
    const activities = executions.flatMap(({ history }) => history.activities);
    const { report, markdown } = await built('client.js')
      .createColligateClient({ client: temporal, taskQueue: config.temporal.taskQueue, ...session })
      .run(RUN_ID)
      .report();
    return {
      client,
      usage,
      peakDuring: usage === null ? [] : activitiesAt(activities, usage.anonymousAt),
      activities: byActivity(activities),
      executions: executions.map(({ history, bytes }) => ({ events: history.events, bytes })),
      storeBytes: sizeOf(join(config.dataDir, 'store')),
      markdown,
      report,
    };
  } finally {
    watched.stop();
  }
}

/** As an operator would: the command reads the sources, starts the run and leaves. */
async function startByCommand(folder, path, question) {
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [
      join(root, 'dist', 'cli', 'main.js'),
      ...['report', question, '--sources', path, '--id', RUN_ID, '--detach', '--json'],
    ],
    { cwd: folder, env: ownEnvironment(), stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const said = [];
  child.stderr.setEncoding('utf8').on('data', (text) => said.push(text));
  const watched = watchProcess(child.pid);
  const [code, signal] = await once(child, 'exit');
  const usage = watched.stop();
  if (code !== 0) throw new Error(`The command ended with ${code ?? signal}:\n${said.join('')}`);
  return { ms: performance.now() - startedAt, usage };
}

/** The run's histories, the first of them first. */
async function executionsOf(client, described) {
  const executions = [];
  for (let last = described; last !== null;) {
    const handle = client.workflow.getHandle(RUN_ID, last.runId);
    const fetched = await handle.fetchHistory();
    executions.unshift({
      history: historyFigures(fetched),
      bytes: Number(last.raw.workflowExecutionInfo.historySizeBytes),
    });
    const before =
      fetched.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? '';
    last = before === '' ? null : await client.workflow.getHandle(RUN_ID, before).describe();
  }
  return executions;
}

/** What a file, or all files of a folder, take on disk. */
function sizeOf(path) {
  const found = statSync(path);
  if (!found.isDirectory()) return found.blocks * BLOCK_BYTES;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
