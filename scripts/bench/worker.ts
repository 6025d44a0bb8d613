// A fresh folder with a server and a worker as a process of its own, and runs on them.
import { setTimeout as sleep } from 'node:timers/promises';
import { createColligateClient } from '#built/client';
import { loadConfig } from '#built/config/config';
import { openStores } from '#built/stores/open-stores';
import { connectClient } from '#built/temporal/connect';
import { describePollers } from '#built/temporal/pollers';
import { ensureServer } from '#built/temporal/server';
import { present } from '../eval/seeded-draw';
import { activitiesAt, historyFigures, type HistoryFigures } from './history';
import {
  inFolder,
  MAIN,
  memoryOf,
  ownEnvironment,
  started,
  stop,
  timed,
  watchProcess,
  type Started,
  type Usage,
} from './processes';

const READY_LIMIT_MS = 60_000;
const POLL_MS = 50;
/** How long both are left alone before their memory at rest is taken. */
const REST_MS = 500;

export interface Session {
  folder: string;
  config: ReturnType<typeof loadConfig>;
  client: Awaited<ReturnType<typeof connectClient>>['client'];
  runs: ReturnType<typeof createColligateClient>;
  stores: Awaited<ReturnType<typeof openStores>>;
  worker: Started;
  atRest: ReturnType<typeof memoryOf>;
  serverStartMs: number;
  workerStartMs: number;
}

/** Does the work with a fresh folder, a server and a worker, which are gone when it has ended. */
export function withWorker<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
  return inFolder('bench', (folder) => inSession(folder, work));
}

async function inSession<Result>(
  folder: string,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const closing: (() => unknown)[] = [];
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => (closed ??= closeAll(closing));
  const leave = (signal: NodeJS.Signals): void =>
    void close().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  // Not `once`: without a listener left at the time of the signal, the lock's own listener ends the process at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, leave);
  try {
    const config = loadConfig({ cwd: folder, env: ownEnvironment() });
    const server = await timed(() => ensureServer(config));
    closing.push(() => server.result.stop());
    // As an operator starts it.
    const worker = await timed(() =>
      started([MAIN, 'worker', '--json'], { cwd: folder, env: ownEnvironment() }),
    );
    closing.push(() => stop(worker.result));
    const { connection, client } = await connectClient({
      ...config.temporal,
      address: server.result.address,
    });
    closing.push(() => connection.close());
    const stores = await openStores(config);
    closing.push(() => stores.close());
    const deadline = Date.now() + READY_LIMIT_MS;
    while (!(await describePollers(connection, config.temporal)).hasWorker) {
      if (Date.now() > deadline) throw new Error(`No worker polled within ${READY_LIMIT_MS / 1_000} s`);
      await sleep(POLL_MS);
    }
    await sleep(REST_MS);
    const { content, events } = stores;
    return await work({
      folder,
      config,
      client,
      stores,
      runs: createColligateClient({ client, taskQueue: config.temporal.taskQueue, content, events }),
      worker: worker.result,
      atRest: memoryOf(worker.result.child.pid),
      serverStartMs: server.ms,
      workerStartMs: worker.ms,
    });
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, leave);
    await close();
  }
}

/** Last opened, first closed; one that cannot be closed does not keep the others open. */
async function closeAll(closing: (() => unknown)[]): Promise<void> {
  for (const close of closing.reverse()) {
    try {
      await close();
    } catch (error) {
      process.stderr.write(`While closing: ${(error as Error).message}\n`);
    }
  }
}

type Described = Awaited<ReturnType<ReturnType<Session['client']['workflow']['getHandle']>['describe']>>;

/** What a run came to, and what the worker used until then; it is described now and then, which costs the server less than following it. */
export async function completed<Begun>(
  { client, worker }: Session,
  runId: string,
  begin: () => Promise<Begun>,
): Promise<{ begun: Begun; described: Described; usage: Usage | null }> {
  const watched = watchProcess(worker.child.pid);
  try {
    const begun = await begin();
    const handle = client.workflow.getHandle(runId);
    let described = await handle.describe();
    while (described.status.name === 'RUNNING') {
      if (worker.child.exitCode !== null) throw new Error(`The worker ended with ${worker.child.exitCode}`);
      await sleep(POLL_MS);
      described = await handle.describe();
    }
    const usage = watched.stop();
    if (described.status.name !== 'COMPLETED')
      throw new Error(`Run ${runId} ended as ${described.status.name}`);
    return { begun, described, usage };
  } finally {
    watched.stop();
  }
}

export interface MeasuredRun {
  sources: number;
  startMs: number;
  wallMs: number;
  usage: Usage | null;
  peakDuring: string[];
  historyBytes: number;
  history: HistoryFigures;
  report: {
    status: string;
    markdownBytes: number;
    jsonBytes: number;
    words: number;
    citations: number;
    passMs: Record<string, number | undefined>;
  };
}

/** A run over the sources of a path, from the call of a program to its report. */
export async function measureRun(
  session: Session,
  { path, question, runId }: { path: string; question: string; runId: string },
): Promise<MeasuredRun> {
  const { client, config, runs } = session;
  const { engine, synthesis, budget } = config;
  const asked = { question, sources: { paths: [path] }, runId, again: false, engine, synthesis, budget };
  const { begun, described, usage } = await completed(session, runId, () =>
    timed(() => runs.startReport({ ...asked, searchAttributes: true })),
  );
  const history = historyFigures(await client.workflow.getHandle(runId).fetchHistory());
  const { report, markdown } = present((await runs.run(runId).report()) ?? undefined);
  const lastMs = (described.closeTime?.getTime() ?? NaN) - described.startTime.getTime();
  return {
    sources: begun.result.sources ?? 0,
    startMs: begun.ms,
    // The last of its histories tells when it began; the report's run time is that of all of them.
    wallMs: Math.max(lastMs, report.timings.total),
    usage,
    peakDuring: usage === null ? [] : activitiesAt(history.activities, usage.anonymousAt),
    historyBytes: Number(described.raw.workflowExecutionInfo?.historySizeBytes),
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
}
