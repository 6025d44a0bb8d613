// The model server of tests/system/model-runs as a process of its own, and what it counted.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { root } from '../checkout.mjs';

/** `every`: one call in so many goes wrong. Resolves when it can be asked. */
export async function startFaultyModel({ fault = null, every = 1, seed = 1, latencyMs = 100 } = {}) {
  const child = spawn(
    process.execPath,
    [
      ...['--import', 'tsx', join(root, 'tests', 'system', 'model-runs', 'serve-faulty-model.ts')],
      JSON.stringify({ fault, every, seed, latencyMs }),
    ],
    { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  let asked = 0;
  const waiting = new Set();
  let heardUrl;
  let heardCounts;
  const baseUrl = new Promise((resolve) => (heardUrl = resolve));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = JSON.parse(line);
    if (said.baseUrl !== undefined) heardUrl(said.baseUrl);
    else if (said.finished !== undefined) heardCounts?.(said);
    else asked = said.asked;
    for (const look of waiting) look();
  });
  return {
    baseUrl: await baseUrl,
    /** Resolves when so many calls have been made. */
    untilAsked: (calls) =>
      new Promise((resolve) => {
        const look = () => {
          if (asked < calls) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    goAway: () => child.stdin.write('away\n'),
    comeBack: () => child.stdin.write('back\n'),
    counts() {
      const counts = new Promise((resolve) => (heardCounts = resolve));
      child.stdin.write('tell\n');
      return counts;
    },
    stop: () => child.stdin.end(),
  };
}
