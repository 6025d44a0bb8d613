import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Report } from '../../../src/contracts/report/report';
import { connectClient } from '../../../src/temporal/connect';
import { ColligatePass } from '../../../src/temporal/search-attributes';
import { openKillBench } from '../../support/kills/kill-bench';
import { NOTES } from '../../support/kills/material';
import { comparable } from '../../support/kills/run-record';
import { pendingActivities, type PendingActivity } from '../../support/pending-activities';
import type { HttpPart, Site, WorkerPart } from './installation';

/** As `colligate demo` asks. */
const ASKED = {
  question: 'Does vitamin D supplementation improve health outcomes, and by how much?',
  paths: NOTES.paths,
};
/** A machine may be so fast that a run ends before a worker is caught at work. */
const TRIES = 3;
const LOOK_MS = 3;
/** By then a worker has read its sources, and made something that must not be lost. */
const PASS = 2;
/** What only writes down what others have done is no work to lose. */
const WRITES_DOWN = 'recordEvents';
/** What a worker had sent before it was stopped has come to the server by then. */
const SETTLED_MS = 250;

type Made = { markdown: string; report: Report };

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/**
 * The demo's report over the topology while a worker is killed, held against the one that nobody disturbed. Resolves with the worker
 * that was killed; rejects where a report is missing or differs.
 */
export async function demonstrate(
  site: Site,
  { workers, http }: { workers: readonly WorkerPart[]; http: HttpPart },
  say: (line: string) => void,
): Promise<WorkerPart> {
  const runId = `topology-${randomBytes(4).toString('hex')}`;
  const { expected, asOf } = await undisturbed(runId);
  say(`Undisturbed: report ${runId}, by one worker on files and the development server`);
  const { TEMPORAL_ADDRESS: address = '', TEMPORAL_NAMESPACE: namespace = '' } =
    site.settings.client.environment;
  const { connection, client } = await connectClient({ address, namespace, apiKey: null, tls: false });
  try {
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const report = startReport(site, runId, asOf);
      const startedAt = Date.now();
      say(`Started: report ${runId} over the topology, from a client with a data folder of its own`);
      const worker = await killHolder({ client, runId, workers, hasEnded: report.hasEnded, say });
      const made = await report.made;
      say(
        `Ended: report ${runId}, ${made.report.status}, ${seconds(Date.now() - startedAt)} after its start`,
      );
      const differing = differences(expected, made);
      if (differing.length > 0)
        throw new Error(`The report is not the undisturbed one: ${differing.join(' and ')} differ`);
      if (worker === null) continue;
      await requireOverHttp(http, runId, made);
      say(
        `The same: report.md byte for byte (${Buffer.byteLength(made.markdown)} bytes, ${made.report.citations.length} sources cited), report.json but for its times, usage and versions of programs; over HTTP as well`,
      );
      return worker;
    }
    throw new Error(`In ${TRIES} runs no worker was caught with an activity`);
  } finally {
    await connection.close();
  }
}

/** Whoever asks over HTTP is given the same. */
async function requireOverHttp({ url, token }: HttpPart, runId: string, { markdown }: Made): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/v1/runs/${runId}/result?format=md`, { headers });
  if (!answer.ok || (await answer.text()) !== markdown)
    throw new Error(`Over HTTP the report is not the same (${answer.status})`);
}

async function undisturbed(runId: string): Promise<{ expected: Made; asOf: string }> {
  const bench = await openKillBench({ outages: null });
  try {
    await bench.startWorker();
    await bench.start(runId, ASKED);
    const { asOf = '' } = bench.request(runId, ASKED);
    return { expected: await bench.finished(runId), asOf };
  } finally {
    await bench.close();
  }
}

/** From a process that has a folder of its own and is told addresses alone. */
function startReport(
  { parts, folder, settings }: Site,
  runId: string,
  asOf: string,
): { made: Promise<Made>; hasEnded: () => boolean } {
  const cwd = join(folder, 'client');
  const args = [join(__dirname, 'report-client.mjs'), runId, asOf, ASKED.question, ...ASKED.paths];
  const env = { ...settings.client.environment, COLLIGATE_DATA_DIR: join(cwd, 'data') };
  const part = parts.start('client', process.execPath, args, { cwd, env, isHeard: true });
  part.mayEnd();
  const made = part.gone.then((): Made => {
    // What it prints is what the client gives.
    if (part.ended() === 'ended with 0') return JSON.parse(part.printed()) as Made;
    throw new Error(`No report: its client ${part.ended()}. ${readFileSync(part.log, 'utf8').trim()}`);
  });
  // Where it fails this is heard of where it is waited for.
  made.catch(() => undefined);
  return { made, hasEnded: () => part.ended() !== null };
}

function differences(one: Made, other: Made): string[] {
  return [
    ...(one.markdown === other.markdown ? [] : ['report.md']),
    ...(JSON.stringify(comparable(one)) === JSON.stringify(comparable(other)) ? [] : ['report.json']),
  ];
}

/**
 * Looks at the run until a worker has an activity, stops that worker where it is, looks again, kills it where the server still
 * waits for it, and waits until it does not. Resolves with the worker; null where the run has ended without.
 */
async function killHolder(given: {
  client: Client;
  runId: string;
  workers: readonly WorkerPart[];
  hasEnded: () => boolean;
  say: (line: string) => void;
}): Promise<WorkerPart | null> {
  const { client, runId, workers, hasEnded, say } = given;
  while (!hasEnded()) {
    const { pass, started } = await look(client, runId);
    const holder = ({ pid, type }: PendingActivity): WorkerPart | undefined =>
      type === WRITES_DOWN ? undefined : workers.find(({ child }) => child.pid === pid);
    const activity = pass < PASS ? undefined : started.find((one) => holder(one) !== undefined);
    const worker = activity === undefined ? undefined : holder(activity);
    if (activity === undefined || worker === undefined) {
      await delay(LOOK_MS);
      continue;
    }
    const isHeld = async (): Promise<boolean> =>
      (await look(client, runId)).started.some(({ id, pid }) => id === activity.id && pid === activity.pid);
    worker.signal('SIGSTOP');
    await delay(SETTLED_MS);
    if (!(await isHeld())) {
      worker.signal('SIGCONT');
      continue;
    }
    const at = Date.now();
    await worker.end('SIGKILL');
    const { type, attempt } = activity;
    say(
      `Killed: ${worker.name} (process ${worker.child.pid}, SIGKILL) while it held ${type}, attempt ${attempt}`,
    );
    while (!hasEnded() && (await isHeld())) await delay(LOOK_MS);
    say(`Taken over: ${type}, after ${seconds(Date.now() - at)}`);
    return worker;
  }
  return null;
}

/** The pass that the run is in, and the activities that workers have. */
async function look(client: Client, runId: string): Promise<{ pass: number; started: PendingActivity[] }> {
  try {
    const { typedSearchAttributes } = await client.workflow.getHandle(runId).describe();
    const activities = await pendingActivities(client, runId);
    const started = activities.filter(({ isStarted }) => isStarted);
    return { pass: typedSearchAttributes.get(ColligatePass) ?? 0, started };
  } catch (error) {
    // It has not been started yet.
    if (error instanceof Error && error.name === 'WorkflowNotFoundError') return { pass: 0, started: [] };
    throw error;
  }
}
