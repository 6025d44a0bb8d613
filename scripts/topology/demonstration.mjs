// The demo's report over the topology while a worker is killed, held against the one that nobody disturbed.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { differences } from './compare.mjs';
import { killHolder, untilTakenOver } from './kill-holder.mjs';
import { startReport } from './report.mjs';
import { connect } from './temporal.mjs';
import { seconds } from './told.mjs';
import { undisturbedReport } from './undisturbed.mjs';

/** A machine may be so fast that a run ends before a worker is caught at work. */
const TRIES = 3;

/** Resolves with the worker that was killed; rejects where a report is missing or differs. */
export async function demonstrate({ parts, folder, settings, workers, cacheDir, say }) {
  const runId = `topology-${randomBytes(4).toString('hex')}`;
  const asked = { parts, runId, asOf: new Date().toISOString() };
  const expected = await undisturbedReport({ ...asked, folder: join(folder, 'undisturbed'), cacheDir });
  say(`Undisturbed: report ${runId}, by one worker on files and the development server`);

  const { connection, client } = await connect(settings.environment);
  try {
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const given = { ...asked, folder: join(folder, 'client'), env: settings.environment };
      const { worker, made } = await disturbedReport({ given, client, workers, say });
      const differing = differences(expected, made);
      if (differing.length > 0)
        throw new Error(`The report is not the undisturbed one: ${differing.join(' and ')} differ`);
      if (worker === null) continue;
      const { markdown, report } = made;
      say(
        `The same: report.md byte for byte (${Buffer.byteLength(markdown)} bytes, ${report.citations.length} sources cited), report.json but for its times, usage and versions of programs`,
      );
      return worker;
    }
    throw new Error(`In ${TRIES} runs no worker was caught with an activity`);
  } finally {
    await connection.close();
  }
}

/** The worker is null where the run was over before one could be killed. */
async function disturbedReport({ given, client, workers, say }) {
  const { runId } = given;
  const startedAt = Date.now();
  const started = startReport(given);
  // Where it fails this is heard of where it is waited for.
  started.ended.catch(() => undefined);
  say(`Started: report ${runId} over the topology, from a client with a data folder of its own`);
  const watched = { client, runId, hasEnded: started.hasEnded };
  const killed = await killHolder({ ...watched, workers });
  if (killed !== null) {
    const { worker, activity } = killed;
    say(
      `Killed: ${worker.name} (process ${worker.child.pid}, SIGKILL) while it held ${activity.type}, attempt ${activity.attempt}`,
    );
    say(`Taken over: ${activity.type}, after ${seconds(await untilTakenOver({ ...watched, ...killed }))}`);
  }
  const made = await started.ended;
  say(`Ended: report ${runId}, ${made.report.status}, ${seconds(Date.now() - startedAt)} after its start`);
  return { worker: killed?.worker ?? null, made };
}
