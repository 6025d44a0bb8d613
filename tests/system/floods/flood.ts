// A flood from its installation to what it left, in one file: whatever is sent, started or read back has the same kinds of runs.

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Client } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import type { RunHandle } from '../../../src/client';
import type { SpawnedCommand } from '../../cli/command-line-under-test';
import { openKillBench, type KillBench } from '../../support/kills/kill-bench';
import { NOTES } from '../../support/kills/material';
import { openAll } from '../../support/kills/open-all';
import { until } from '../../support/until';
import { rubbishNumber } from './rubbish';

const SUBTOPICS = resolve(__dirname, '../../../examples/hubble-constant');
export const KINDS = ['report', 'answer', 'brief', 'firing'] as const;
export type FloodedKind = (typeof KINDS)[number];

/** How much is sent to one run, and how many runs go on beside it. */
export interface FloodSize {
  badSignals: number;
  goodSignals: number;
  /** `pause` and `resume` in turn, as signals. */
  switches: number;
  updates: number;
  queries: number;
  runsBeside: number;
}

/** A bench with a worker of the command line. */
export interface FloodStand extends KillBench {
  worker: SpawnedCommand;
  /** The worker's anonymous memory, in MB. */
  memoryMb(): Promise<number>;
}

export function openFloodStand(): Promise<FloodStand> {
  return openAll(async (atClose) => {
    const bench = await openKillBench({ outages: null });
    atClose(() => bench.close());
    const worker = await bench.startWorker();
    return {
      ...bench,
      worker,
      async memoryMb() {
        const status = await readFile(`/proc/${worker.pid}/status`, 'utf8');
        return Math.round(Number(/RssAnon:\s+(\d+)/.exec(status)?.[1]) / 1_024);
      },
    };
  });
}

/** Starts a run of a kind; what it leaves depends on its kind alone. */
export async function startBeside(stand: FloodStand, kind: FloodedKind, runId: string): Promise<void> {
  const { client, colligate, config } = stand;
  const { question, paths } = NOTES;
  const common = { question, engine: 'extractive' as const, asOf: '2026-01-01T00:00:00.000Z' };
  const searchAttributes = true;
  if (kind === 'report') {
    await stand.start(runId, NOTES);
  } else if (kind === 'answer') {
    await colligate.startAnswer({
      ...common,
      requestId: runId,
      sources: { paths },
      searchAttributes,
    });
  } else if (kind === 'brief') {
    await colligate.startBrief({
      ...common,
      question: 'What is the value of the Hubble constant?',
      runId,
      subtopics: { paths: [SUBTOPICS] },
      searchAttributes,
    });
  } else {
    const start = {
      schedule: runId,
      keptAs: `schedule:${runId}:0`,
      run: { kind: 'report', input: { ...common, searchAttributes } },
      sources: { finder: 'files', settings: { paths }, skipInvalid: false },
      subtopics: null,
      question,
      engine: common.engine,
    };
    const { taskQueue } = config().temporal;
    await client.workflow.start('scheduled', { workflowId: firing(runId), taskQueue, args: [start] });
  }
}

const firing = (runId: string): string => `firing-of-${runId}-2026-01-01T00:00:00Z`;
/** The run of a firing, and any other's own id. */
export const runOf = (kind: FloodedKind, id: string): string =>
  kind === 'firing' ? `${id}-20260101-000000` : id;

/** What the run left, and how it came about: all that the server has of it. */
export interface Left {
  status: string;
  markdown: string;
  /** Everything in its histories that is not its own. */
  foreign: string[];
  /** The activities that it asked for, how often each. */
  activities: Record<string, number>;
}

export async function leftOf(stand: FloodStand, kind: FloodedKind, id: string): Promise<Left> {
  const runId = runOf(kind, id);
  const { client, colligate } = stand;
  if (kind === 'firing') await client.workflow.getHandle(firing(id)).result();
  const { status } = await colligate.run(runId).waitUntilClosed();
  const events = [
    ...(await eventsOf(client, runId)),
    ...(kind === 'firing' ? await eventsOf(client, firing(id)) : []),
  ];
  const activities: Record<string, number> = {};
  for (const { activityTaskScheduledEventAttributes: scheduled } of events) {
    const name = scheduled?.activityType?.name ?? '';
    if (name !== '') activities[name] = (activities[name] ?? 0) + 1;
  }
  return {
    status,
    activities,
    markdown: await markdownOf(stand, kind, runId),
    foreign: events.flatMap((event) => foreignIn(event, id)),
  };
}

async function markdownOf({ colligate }: FloodStand, kind: FloodedKind, runId: string): Promise<string> {
  if (kind === 'answer') return (await colligate.answerOf(runId).answer()).answer;
  if (kind === 'brief') return (await colligate.briefOf(runId).brief()).markdown;
  return (await colligate.run(runId).report())?.markdown ?? '';
}

/** The events of all histories of a workflow id. */
export async function eventsOf(
  client: Client,
  workflowId: string,
): Promise<temporal.api.history.v1.IHistoryEvent[]> {
  const events: temporal.api.history.v1.IHistoryEvent[] = [];
  for await (const { runId } of client.workflow.list({ query: `WorkflowId = '${workflowId}'` }))
    events.push(...((await client.workflow.getHandle(workflowId, runId).fetchHistory()).events ?? []));
  return events;
}

/** What names another run, or came from nobody that the run knows. */
function foreignIn(event: temporal.api.history.v1.IHistoryEvent, id: string): string[] {
  const found: string[] = [];
  if (event.workflowExecutionSignaledEventAttributes) found.push('a signal');
  if (event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.name === 'addSources')
    found.push('an update');
  const failed = event.workflowTaskFailedEventAttributes;
  if (failed) found.push(`a failed task: ${failed.failure?.message ?? ''}`);
  const scheduled = event.activityTaskScheduledEventAttributes;
  const payloads = [
    ...(scheduled?.input?.payloads ?? []),
    ...Object.values(event.workflowPropertiesModifiedEventAttributes?.upsertedMemo?.fields ?? {}),
  ];
  const text = payloads.map(({ data }) => Buffer.from(data ?? []).toString()).join('\n');
  if (text.includes('flooded')) found.push(`what is of another run: ${text.slice(0, 200)}`);
  if (scheduled && !text.includes(id)) found.push(`an activity that does not name it: ${text.slice(0, 200)}`);
  return found;
}

/** What came of a flood. */
export interface Flood {
  /** How many signals the server did not take, after the client's own tries. */
  notTaken: number;
  /** How long the slowest of the updates that were asked meanwhile took, and what became of all, by their ends. */
  slowestUpdateMs: number;
  updates: Record<string, number>;
  queriesAnswered: number;
  /** Of the largest history of the run. */
  historyBytes: number;
  histories: number;
  eventLogBytes: number;
  idleSignals: { refused: number; ignored: number };
  applied: Record<string, number>;
  memoryMb: { before: number; peak: number; after: number };
  flooded: { status: string; foreign: string[] };
  beside: { kind: FloodedKind; id: string; left: Left }[];
}

/** Sends everything at one run that waits for approval, while others are started beside it, and waits for the end of them all. */
export async function flood(stand: FloodStand, name: string, size: FloodSize): Promise<Flood> {
  const { client, colligate, stores } = stand;
  const runId = `${name}-flooded`;
  const run = await startWaiting(stand, runId);
  const handle = client.workflow.getHandle(runId);
  const { manifestRef } = await colligate.openCorpus(
    { records: [{ id: 'late', title: 'Walking', content: 'Vitamin D improved walking in 300 adults.' }] },
    { heldBy: runId },
  );
  const before = await stand.memoryMb();
  let peak = before;
  const looking = setInterval(() => void stand.memoryMb().then((now) => (peak = Math.max(peak, now))), 250);
  let notTaken = 0;
  const signal = async (signalName: string, ...args: unknown[]): Promise<void> => {
    await handle.signal(signalName, ...args).catch(() => (notTaken += 1));
  };
  const updates: Record<string, number> = {};
  let slowestUpdateMs = 0;
  let queriesAnswered = 0;
  const update = async (n: number): Promise<void> => {
    const since = performance.now();
    const end = await run
      .setBudget({ maxTokens: 1_000_000 + n }, { id: `${name}-budget-${n}`, timeoutMs: 120_000 })
      .then(
        () => 'applied',
        (error: unknown) => (error instanceof Error ? error.name : 'unknown'),
      );
    slowestUpdateMs = Math.max(slowestUpdateMs, performance.now() - since);
    updates[end] = (updates[end] ?? 0) + 1;
  };
  const query = async (): Promise<void> => {
    await run.steering().then(
      () => (queriesAnswered += 1),
      () => undefined,
    );
  };
  const beside = Array.from({ length: size.runsBeside }, (_, n) => {
    const kind = KINDS[n % KINDS.length] ?? 'report';
    return { kind, id: `${name}-${kind}-${n}` };
  });
  await Promise.all([
    inLanes(size.badSignals, 40, (n) => signal('addSources', ...rubbishNumber(n))),
    inLanes(size.goodSignals, 40, (n) =>
      signal('addSources', { id: `${name}-${n}`, manifestRef, sourceCount: 1 }),
    ),
    inLanes(size.switches, 10, (n) => signal(n % 2 === 0 ? 'pause' : 'resume')),
    inLanes(size.updates, 5, update),
    inLanes(size.queries, 2, query),
    inLanes(beside.length, 2, async (n) => {
      const one = beside[n];
      if (one !== undefined) await startBeside(stand, one.kind, one.id);
    }),
  ]);
  const left = [];
  for (const one of beside) left.push({ ...one, left: await leftOf(stand, one.kind, one.id) });
  await run.resume();
  await run.approveOutline({ id: `${name}-approve`, timeoutMs: 120_000 });
  const { idleSignals = { refused: 0, ignored: 0 }, applied } = await run.steering();
  const { status } = await run.waitUntilClosed();
  clearInterval(looking);
  const sizes: number[] = [];
  for await (const { historySize = 0 } of client.workflow.list({ query: `WorkflowId = '${runId}'` }))
    sizes.push(historySize);
  const log = await stores.events.read(runId);
  const events = await eventsOf(client, runId);
  return {
    notTaken,
    slowestUpdateMs,
    updates,
    queriesAnswered,
    idleSignals,
    applied,
    beside: left,
    historyBytes: Math.max(...sizes),
    histories: sizes.length,
    eventLogBytes: Buffer.byteLength(JSON.stringify(log)),
    memoryMb: { before, peak, after: await stand.memoryMb() },
    flooded: {
      status,
      foreign: events.flatMap((event) => {
        const names = [event.activityTaskScheduledEventAttributes?.input?.payloads?.[0]?.data ?? []]
          .map((data) => Buffer.from(data).toString())
          .filter((text) => beside.some(({ id }) => text.includes(`"${runOf('report', id)}"`)));
        return names.map((text) => text.slice(0, 200));
      }),
    },
  };
}

/** Starts a report that waits for approval. */
export async function startWaiting(stand: FloodStand, runId: string): Promise<RunHandle> {
  const { run } = await stand.colligate.startReport({
    ...stand.request(runId, NOTES),
    approval: { timeoutMs: 3_600_000 },
  });
  await until(
    () => run.progress(),
    ({ status }) => status === 'awaiting-approval',
  );
  return run;
}

/** Does the work for each number, a few at once. */
async function inLanes(count: number, lanes: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) await work(n);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
