// Runs over very many sources: whether they end, how long that takes, and what the worker needs for it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../checkout.mjs';
import { withWorker } from './measure-round.mjs';

const QUESTION = 'Does walking improve sleep in adults?';

export const CROWDS = [
  { name: 'tiny', count: 100_000, title: '100,000 sources of eight words' },
  { name: 'alike', count: 20_000, title: '20,000 sources that are nearly the same' },
];

/** A round of its own for each crowd: a fresh server and worker, and one run. */
export async function measureCrowd({ name, count, title }) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'colligate-crowd-'));
  try {
    const path = join(folder, `${name}.jsonl`);
    const script = join(root, 'tests', 'support', 'crowds', 'write-crowd.ts');
    const written = spawnSync(process.execPath, ['--import', 'tsx', script, name, String(count), path], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (written.status !== 0) throw new Error(`The sources of ${name} could not be written`);
    const run = await withWorker(({ measure }) => measure({ path, question: QUESTION, runId: name }));
    return { title, run };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
