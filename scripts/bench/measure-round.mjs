// One round: a fresh folder, a server, a worker as a process of its own, and two runs on it: the first finds nothing
// compiled and nothing stored, the second is what a worker does all day.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../checkout.mjs';
import { activitiesAt, historyFigures } from './history-figures.mjs';
import { memoryOf, watchProcess } from './process-usage.mjs';

const require = createRequire(import.meta.url);
const built = (file) => require(join(root, 'dist', file));

const READY_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 30_000;
/** How long both are left alone before their memory at rest is taken. */
const REST_MS = 500;

export function measureRound({ path, question }) {
  return withWorker(async ({ measure, atRest, serverStartMs, workerStartMs }) => {
    const first = await measure({ path, question, runId: 'first' });
    const second = await measure({ path, question, runId: 'second' });
    return { serverStartMs, workerStartMs, atRest, first, second };
  });
}

/**
 * Does the work with a fresh folder, a server and a worker, which are gone when it has ended; `measure` carries out a run,
 * `session` has the client and the stores, and `worker` is the worker's process.
 */
export async function withWorker(work) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'colligate-bench-'));
  const closing = [() => rmSync(folder, { recursive: true, force: true })];
  let closed = null;
  const close = () => (closed ??= closeAll(closing));
  const leave = (signal) => void close().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  // Not `once`: without a listener left at the time of the signal, the lock's own listener ends the process at once.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, leave);
  try {
    const config = built('config/config.js').loadConfig({ cwd: folder, env: ownEnvironment() });
    const server = await timed(() => built('temporal/server.js').ensureServer(config));
    closing.push(() => server.result.stop());
    const worker = await timed(() => startWorker(folder, closing));
    const session = await openClient(config, server.result.address, closing);
    await waitForPoller(session.connection, config);
    await sleep(REST_MS);
    const atRest = memoryOf(worker.result.pid);
    const measure = (run) => measureRun(session, { worker: worker.result, config, ...run });
    return await work({
      session,
      folder,
      config,
      worker: worker.result,
      measure,
      atRest,
      serverStartMs: server.ms,
      workerStartMs: worker.ms,
    });
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, leave);
    await close();
  }
}

async function measureRun(session, { worker, path, question, config, runId }) {
  const { client, content, events } = session;
  const runs = built('client.js').createColligateClient({
    client,
    taskQueue: config.temporal.taskQueue,
    content,
    events,
  });
  const watched = watchProcess(worker.pid);
  try {
    // The run is waited for by describing it now and then, which costs the server less than following it.
    const started = await timed(() =>
      runs.startReport({
        question,
        sources: { paths: [path] },
        runId,
        again: false,
        engine: config.engine,
        synthesis: config.synthesis,
        budget: config.budget,
        searchAttributes: true,
      }),
    );
    const handle = client.workflow.getHandle(runId);
    let described = await handle.describe();
    while (described.status.name === 'RUNNING') {
      if (worker.child.exitCode !== null) throw new Error(`The worker ended with ${worker.child.exitCode}`);
      await sleep(50);
      described = await handle.describe();
    }
    const usage = watched.stop();
    if (described.status.name !== 'COMPLETED')
      throw new Error(`Run ${runId} ended as ${described.status.name}`);
    const history = historyFigures(await handle.fetchHistory());
    const { report, markdown } = await runs.run(runId).report();
    // The last of its histories tells when it began; the report's run time is that of all of them.
    const wallMs = Math.max(
      described.closeTime.getTime() - described.startTime.getTime(),
      report.timings.total,
    );
    return {
      sources: started.result.sources,
      startMs: started.ms,
      wallMs,
      usage,
      peakDuring: usage === null ? [] : activitiesAt(history.activities, usage.anonymousAt),
      historyBytes: Number(described.raw.workflowExecutionInfo.historySizeBytes),
      history,
      report: {
        status: report.status,
        markdownBytes: Buffer.byteLength(markdown),
        jsonBytes: Buffer.byteLength(JSON.stringify(report)),
        words: markdown.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length,
        citations: report.citations.length,
        passMs: report.timings.byPass,
      },
    };
  } finally {
    watched.stop();
  }
}

/** A worker as an operator starts it. */
async function startWorker(folder, closing) {
  const log = [];
  const child = spawn(process.execPath, [join(root, 'dist', 'cli', 'main.js'), 'worker', '--json'], {
    cwd: folder,
    env: ownEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  closing.push(() => stop(child));
  child.stderr.setEncoding('utf8').on('data', (text) => log.push(text));
  const ready = once(createInterface(child.stdout), 'line');
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The worker ended with ${code ?? signal} before it was ready:\n${log.join('')}`);
  });
  ended.catch(() => undefined); // it also ends when it has done its work
  await Promise.race([ready, ended]);
  return { child, pid: child.pid };
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await ended;
  clearTimeout(late);
}

async function openClient(config, address, closing) {
  const { connectClient } = built('temporal/connect.js');
  const { openStores } = built('stores/open-stores.js');
  const { connection, client } = await connectClient({ ...config.temporal, address });
  closing.push(() => connection.close());
  const stores = await openStores(config);
  closing.push(() => stores.close());
  return { connection, client, content: stores.content, events: stores.events };
}

async function waitForPoller(connection, { temporal }) {
  const { describePollers } = built('temporal/pollers.js');
  const deadline = Date.now() + READY_LIMIT_MS;
  while (!(await describePollers(connection, temporal)).hasWorker) {
    if (Date.now() > deadline) throw new Error(`No worker polled within ${READY_LIMIT_MS / 1_000} s`);
    await sleep(50);
  }
}

/** Settings of whoever measures must not be in the figures; where the server's binary is cached is no such setting. */
export function ownEnvironment() {
  const foreign = (name) => /^(COLLIGATE|TEMPORAL|OPENAI)_/.test(name) && name !== 'COLLIGATE_CACHE_DIR';
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign(name)));
}

async function timed(work) {
  const startedAt = performance.now();
  const result = await work();
  return { result, ms: performance.now() - startedAt };
}

/** Last opened, first closed; one that cannot be closed does not keep the others open. */
async function closeAll(closing) {
  for (const close of closing.reverse()) {
    try {
      await close();
    } catch (error) {
      process.stderr.write(`While closing: ${error.message}\n`);
    }
  }
}
