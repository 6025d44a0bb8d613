// Runs by the engine that asks no model: rounds, crowds of sources, and what grows with their number.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '#built/contracts/report/report';
import { present } from '../eval/seeded-draw';
import { activitiesAt, byActivity, historyFigures, type ActivityKind } from './history';
import { inFolder, MAIN, ownEnvironment, runTypeScript, watchProcess, type Usage } from './processes';
import { completed, measureRun, withWorker, type MeasuredRun, type Session } from './worker';

export interface Round extends Pick<Session, 'serverStartMs' | 'workerStartMs' | 'atRest'> {
  first: MeasuredRun;
  second: MeasuredRun;
}

/** The first run finds nothing compiled and nothing stored, the second is what a worker does all day. */
export function measureRound(material: { path: string; question: string }): Promise<Round> {
  return withWorker(async (session) => {
    const first = await measureRun(session, { ...material, runId: 'first' });
    const second = await measureRun(session, { ...material, runId: 'second' });
    const { serverStartMs, workerStartMs, atRest } = session;
    return { serverStartMs, workerStartMs, atRest, first, second };
  });
}

export const CROWDS = [
  { name: 'tiny', count: 100_000, title: '100,000 sources of eight words' },
  { name: 'alike', count: 20_000, title: '20,000 sources that are nearly the same' },
];
const CROWD_QUESTION = 'Does walking improve sleep in adults?';

/** A run over very many sources: whether it ends, how long that takes, and what the worker needs for it. */
export function measureCrowd({
  name,
  count,
}: Pick<(typeof CROWDS)[number], 'name' | 'count'>): Promise<MeasuredRun> {
  return inFolder('crowd', (folder) => {
    const path = join(folder, `${name}.jsonl`);
    runTypeScript('tests/support/crowds/write-crowd.ts', name, String(count), path);
    return withWorker((session) => measureRun(session, { path, question: CROWD_QUESTION, runId: name }));
  });
}

export const GROWTH = [500, 5_000, 50_000];
const RUN_ID = 'growth';
/** In which the system counts what a file takes. */
const BLOCK_BYTES = 512;

interface Grown {
  client: { ms: number; usage: Usage | null };
  usage: Usage | null;
  peakDuring: string[];
  activities: ActivityKind[];
  executions: { events: number; bytes: number }[];
  storeBytes: number;
  report: Report;
}

export interface Growth extends Grown {
  count: number;
  inputBytes: number;
}

/** A run over so many documents made of the studies: client, server and worker are processes of their own. */
export function measureGrowth({
  studies,
  question,
  count,
}: {
  studies: string;
  question: string;
  count: number;
}): Promise<Growth> {
  return inFolder('growth', async (folder) => {
    const path = join(folder, 'mixed.jsonl');
    runTypeScript('tests/support/mixed-studies/write-mixed-studies.ts', studies, String(count), path);
    const run = await withWorker((session) => measureGrown(session, path, question));
    return { count, inputBytes: statSync(path).size, ...run };
  });
}

async function measureGrown(session: Session, path: string, question: string): Promise<Grown> {
  const { client, config, folder, runs } = session;
  const { begun, described, usage } = await completed(session, RUN_ID, () =>
    startByCommand(folder, path, question),
  );
  const executions: Grown['executions'] = [];
  const activities = [];
  // The run's histories, from the last to the first.
  for (let last = described; ;) {
    const fetched = await client.workflow.getHandle(RUN_ID, last.runId).fetchHistory();
    const { events, activities: own } = historyFigures(fetched);
    executions.unshift({ events, bytes: Number(last.raw.workflowExecutionInfo?.historySizeBytes) });
    activities.unshift(...own);
    const before =
      fetched.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? '';
    if (before === '') break;
    last = await client.workflow.getHandle(RUN_ID, before).describe();
  }
  const { report } = present((await runs.run(RUN_ID).report()) ?? undefined);
  return {
    client: begun,
    usage,
    peakDuring: usage === null ? [] : activitiesAt(activities, usage.anonymousAt),
    activities: byActivity(activities),
    executions,
    storeBytes: sizeOf(join(config.dataDir, 'store')),
    report,
  };
}

/** As an operator would: the command reads the sources, starts the run and leaves. */
async function startByCommand(folder: string, path: string, question: string): Promise<Grown['client']> {
  const startedAt = performance.now();
  const args = ['report', question, '--sources', path, '--id', RUN_ID, '--detach', '--json'];
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    env: ownEnvironment(),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const watched = watchProcess(child.pid);
  const [code] = (await once(child, 'exit')) as [number | null];
  const usage = watched.stop();
  if (code !== 0) throw new Error(`The command ended with ${String(code)}`);
  return { ms: performance.now() - startedAt, usage };
}

/** What a file, or all files of a folder, take on disk. */
function sizeOf(path: string): number {
  const found = statSync(path);
  if (!found.isDirectory()) return found.blocks * BLOCK_BYTES;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
