// What is taken away in the middle of a run, and given back.
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** In the middle of pass 1 and of pass 2, for a run over the notes. */
const MOMENTS = [3, 12];
const LOOK_MS = 100;

/** Each takes `{ model, project, worker, awayMs }` and resolves when all is there again. */
export const OUTAGES = {
  'endpoint gone': async ({ model, awayMs }) => {
    await model.untilAsked(MOMENTS[1]);
    model.goAway();
    await sleep(awayMs);
    model.comeBack();
  },
  // As a full disk does it: the worker can write no byte to any file, and every write to the store fails.
  'store gone': async ({ model, worker, awayMs }) => {
    await model.untilAsked(MOMENTS[1]);
    limitFiles(worker.pid, '0');
    await sleep(awayMs);
    limitFiles(worker.pid, 'unlimited');
  },
  'server killed twice': async ({ model, project }) => {
    for (const calls of MOMENTS) {
      await model.untilAsked(calls);
      await killServer(project);
    }
  },
};

/** Kills the server of the folder, and waits for the one that takes its place. */
export async function killServer(project) {
  const pid = project.serverPid();
  if (pid === null) return;
  process.kill(pid, 'SIGKILL');
  while ([pid, null].includes(project.serverPid())) await sleep(LOOK_MS);
}

/** The soft limit alone, so that it can be lifted again. */
function limitFiles(pid, size) {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${size}:unlimited`]);
}
