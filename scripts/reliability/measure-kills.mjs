// Runs whose worker or server is killed, at a moment that the seed chooses.
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../eval/draw.mjs';
import { startFaultyModel } from './faulty-model.mjs';
import { killServer } from './outages.mjs';
import { openProject } from './project.mjs';
import { within } from './within.mjs';

/** Worker and server in turn. Moments lie within the time that the undisturbed run took. */
export async function measureKills({ kills, seed, undisturbed, limitMs, say }) {
  const random = seededRandom(seed);
  const rows = [];
  for (let kill = 1; kill <= kills; kill += 1) {
    const what = kill % 2 === 1 ? 'worker' : 'server';
    const afterMs = Math.round(random() * undisturbed.seconds * 1_000);
    const row = { kill, what, afterMs, ...(await measureKill({ what, afterMs, limitMs })) };
    row.same = row.markdown === undisturbed.markdown;
    rows.push(row);
    say(
      `kill ${kill} (${what} after ${afterMs} ms): ${row.same ? 'same bytes' : 'OTHER BYTES'}, ${row.repeated} repeated ${row.lostMs.map((ms) => `(answered ${ms} ms before)`).join(' ')}`,
    );
  }
  return rows;
}

async function measureKill({ what, afterMs, limitMs }) {
  const model = await startFaultyModel();
  const project = openProject(model.baseUrl);
  try {
    await project.serve('server');
    let worker = await project.serve('worker');
    const startedAt = performance.now();
    await project.report('measured', '--detach').ended;
    const watch = project.start('watch', 'measured', '--json', '--out', 'reports');
    await sleep(Math.max(0, afterMs - (performance.now() - startedAt)));
    const killedAt = Date.now();
    if (what === 'server') await killServer(project);
    else {
      worker.child.kill('SIGKILL');
      await worker.ended;
      worker = await project.serve('worker');
    }
    await within(limitMs, watch.ended);
    const counts = await model.counts();
    return {
      ...counts,
      markdown: project.written('measured')?.markdown ?? null,
      // How long before the kill an answer had left that was asked for again.
      lostMs: counts.repeatedOf.map((finishedAt) => killedAt - finishedAt),
    };
  } finally {
    await project.close();
    model.stop();
  }
}
