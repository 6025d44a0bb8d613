// The demo's report over the topology while a worker is killed, held against the one that nobody disturbed.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { differences } from './compare.mjs';
import { killHolder, untilTakenOver } from './kill-holder.mjs';
import { startReport } from './report.mjs';
import { connect } from './temporal.mjs';
import { seconds } from './told.mjs';
import { undisturbedReport } from './undisturbed.mjs';

/** Rejects where a report is missing or differs. */
export async function demonstrate({ parts, folder, settings, workers, cacheDir, say }) {
  const asked = {
    parts,
    runId: `topology-${randomBytes(4).toString('hex')}`,
    asOf: new Date().toISOString(),
  };
  const { runId } = asked;
  const expected = await undisturbedReport({ ...asked, folder: join(folder, 'undisturbed'), cacheDir });
  say(`Undisturbed: report ${runId}, by one worker on files and the development server`);

  const { connection, client } = await connect(settings.environment);
  try {
    const startedAt = Date.now();
    const disturbed = startReport({
      ...asked,
      folder: join(folder, 'client'),
      env: settings.environment,
    });
    // Where it fails this is heard of where it is waited for.
    disturbed.ended.catch(() => undefined);
    const watched = { client, runId, hasEnded: disturbed.hasEnded };
    say(`Started: report ${runId} over the topology, from a client with a data folder of its own`);
    const killed = await killHolder({ ...watched, workers });
    const { worker, activity } = killed;
    say(
      `Killed: ${worker.name} (process ${worker.child.pid}, SIGKILL) while it held ${activity.type}, attempt ${activity.attempt}`,
    );
    say(`Taken over: ${activity.type}, after ${seconds(await untilTakenOver({ ...watched, ...killed }))}`);
    const made = await disturbed.ended;
    say(`Ended: report ${runId}, ${made.report.status}, ${seconds(Date.now() - startedAt)} after its start`);
    const differing = differences(expected, made);
    if (differing.length > 0)
      throw new Error(`The report is not the undisturbed one: ${differing.join(' and ')} differ`);
    const { markdown, report } = made;
    say(
      `The same: report.md byte for byte (${Buffer.byteLength(markdown)} bytes, ${report.citations.length} sources cited), report.json but for its times, usage and versions of programs`,
    );
    return worker;
  } finally {
    await connection.close();
  }
}
