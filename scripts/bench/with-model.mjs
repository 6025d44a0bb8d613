// A scripted model on loopback, and a server and a worker that ask it, in a folder of their own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../checkout.mjs';

/** How many calls the worker has at once. */
export const SLOTS = 8;

const MAIN = join(root, 'dist', 'cli', 'main.js');

/**
 * `work` is given `folder`, `report(id, question, sources)`, which makes a report and resolves with its JSON, and `bill()`, which ends
 * the model and resolves with what it was asked. All is gone when it has resolved.
 */
export async function withModel(latencyMs, work) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'colligate-bench-models-'));
  const model = spawn(
    process.execPath,
    ['--import', 'tsx', join(root, 'tests', 'model-server', 'serve-good-model.ts'), String(latencyMs)],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let dev = null;
  try {
    const lines = createInterface({ input: model.stdout });
    const { baseUrl } = JSON.parse((await once(lines, 'line'))[0]);
    const env = {
      ...process.env,
      OPENAI_BASE_URL: baseUrl,
      OPENAI_API_KEY: 'none',
      COLLIGATE_MODEL_FAST: 'good',
      COLLIGATE_MODEL_STRONG: 'good',
      COLLIGATE_MAX_CONCURRENT_CALLS: String(SLOTS),
    };
    dev = spawn(process.execPath, [MAIN, 'dev', '--json'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(createInterface(dev.stdout), 'line');
    return await work({
      folder,
      report: (...asked) => report(folder, env, ...asked),
      async bill() {
        const told = once(lines, 'line');
        model.kill('SIGTERM');
        return JSON.parse((await told)[0]);
      },
    });
  } finally {
    if (model.exitCode === null) model.kill('SIGTERM');
    if (dev !== null) {
      dev.kill('SIGTERM');
      await once(dev, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

async function report(folder, env, id, question, sources) {
  const args = ['report', question, '--sources', sources, '--id', id, '--json'];
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The report ended with ${code}`);
  return JSON.parse(readFileSync(join(folder, 'reports', id, 'report.json'), 'utf8'));
}
