// Runs whose worker or server is killed, at a moment that the seed chooses.
import { setTimeout as sleep } from 'node:timers/promises';
import { startFaultyModel } from './faulty-model.mjs';
import { killServer } from './outages.mjs';
import { openProject } from './project.mjs';
import { within } from './within.mjs';

/** Mulberry32, as in tests/support/random.ts. */
export function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Worker and server in turn. `runMs` is how long the undisturbed run took; moments lie within it. */
export async function measureKills({ kills, seed, undisturbed, limitMs, say }) {
  const random = randomFrom(seed);
  const rows = [];
  for (let kill = 1; kill <= kills; kill += 1) {
    const what = kill % 2 === 1 ? 'worker' : 'server';
    const afterMs = Math.round(random() * undisturbed.seconds * 1_000);
    const row = { kill, what, afterMs, ...(await measureKill({ what, afterMs, limitMs })) };
    row.same = row.markdown === undisturbed.markdown;
    rows.push(row);
    say(
      `kill ${kill} (${what} after ${afterMs} ms): ${row.same ? 'same bytes' : 'OTHER BYTES'}, ${row.repeated} repeated`,
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
    if (what === 'server') await killServer(project);
    else {
      worker.child.kill('SIGKILL');
      await worker.ended;
      worker = await project.serve('worker');
    }
    await within(limitMs, watch.ended);
    return { markdown: project.written('measured')?.markdown ?? null, ...(await model.counts()) };
  } finally {
    await project.close();
    model.stop();
  }
}
