// Many runs at once on two workers, processes of their own, against a model server on loopback that takes a second: whether all
// end, how fair it is between them, and what the endpoint sees of it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../checkout.mjs';
import { busyShare } from './machine.mjs';
import { watchProcess } from './process-usage.mjs';

const require = createRequire(import.meta.url);
const { openColligate } = require(join(root, 'dist', 'client.js'));

export const THROUGHPUT = {
  runs: 100,
  workers: 2,
  latencyMs: 1_000,
  requestsPerSecond: 20,
  maxSharedCalls: 24,
};
const SOURCES = 4;
const MAIN = join(root, 'dist', 'cli', 'main.js');
const good = { name: 'good', contextTokens: 128_000, price: null };

export async function measureThroughput({
  runs,
  workers,
  latencyMs,
  requestsPerSecond,
  maxSharedCalls,
} = THROUGHPUT) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'colligate-bench-throughput-'));
  const children = [];
  const start = async (args, env = process.env) => {
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const lines = createInterface({ input: child.stdout });
    const said = await new Promise((resolve, reject) => {
      lines.once('line', (line) => resolve(line));
      child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)));
    });
    return { child, lines, said };
  };
  try {
    const model = await start([
      '--import',
      join(root, 'node_modules', 'tsx', 'dist', 'loader.mjs'),
      join(root, 'tests', 'model-server', 'serve-good-model.ts'),
      String(latencyMs),
      'times',
    ]);
    await start([MAIN, 'server', '--json']);
    const env = {
      ...process.env,
      OPENAI_BASE_URL: JSON.parse(model.said).baseUrl,
      COLLIGATE_MODEL_FAST: 'good',
      COLLIGATE_MODEL_STRONG: 'good',
      COLLIGATE_MAX_CONCURRENT_CALLS: '16',
      COLLIGATE_MAX_SHARED_CALLS: String(maxSharedCalls),
      COLLIGATE_REQUESTS_PER_SECOND: String(requestsPerSecond),
      COLLIGATE_LOG_LEVEL: 'error',
    };
    const started = await Promise.all(
      Array.from({ length: workers }, () => start([MAIN, 'worker', '--json'], env)),
    );
    const watched = started.map(({ child }) => watchProcess(child.pid));
    const load = busyShare();
    const since = performance.timeOrigin + performance.now();
    const ended = await carryOut(folder, runs);
    const tookMs = performance.timeOrigin + performance.now() - since;
    const busy = load();
    const usage = watched.map((one) => one.stop());
    const told = once(model.lines, 'line');
    model.child.kill('SIGTERM');
    const { calls } = JSON.parse((await told)[0]);
    return { runs, workers, latencyMs, requestsPerSecond, maxSharedCalls, tookMs, busy, usage, ended, calls };
  } finally {
    for (const child of children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

/** All are started at once, and waited for. */
async function carryOut(folder, runs) {
  const colligate = await openColligate({ dataDir: join(folder, '.colligate') });
  try {
    const notes = join(root, 'examples', 'vitamin-d');
    const paths = readdirSync(notes)
      .sort()
      .slice(0, SOURCES)
      .map((file) => join(notes, file));
    const begun = await Promise.all(
      Array.from({ length: runs }, async (_, index) => {
        const runId = `run-${index}`;
        const models = { fast: good, strong: good, critic: good };
        // Another question is another prompt, so that no run has the answers of another.
        const question = `Does vitamin D improve the health of group ${index + 1}?`;
        const askedAt = performance.timeOrigin + performance.now();
        const { run } = await colligate.startReport({
          question,
          sources: { paths },
          runId,
          engine: 'openai',
          models,
        });
        return { run, question, askedAt };
      }),
    );
    return await Promise.all(
      begun.map(async ({ run, ...asked }) => {
        const { status } = await run.waitUntilClosed();
        return { ...asked, status, endedAt: performance.timeOrigin + performance.now() };
      }),
    );
  } finally {
    await colligate.close();
  }
}
