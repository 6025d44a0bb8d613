// A report over the notes in examples/ by the openai engine, against a model server on loopback that takes a set time to
// answer: how much longer the run takes than the calls have to.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../checkout.mjs';
import { longestChain } from './longest-chain.mjs';

const QUESTION = 'Does vitamin D supplementation improve health outcomes in adults?';
/** Asked first, so that the worker that is measured has done one before. */
const FIRST_QUESTION = 'What does vitamin D do for grown people?';
const SLOTS = 8;

export async function measureModels(latencyMs) {
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
    dev = await startDev(folder, env);
    await runReport(folder, env, 'first', FIRST_QUESTION);
    const before = performance.timeOrigin + performance.now();
    const report = await runReport(folder, env, 'measured', QUESTION);
    const told = once(lines, 'line');
    model.kill('SIGTERM');
    const bill = JSON.parse((await told)[0]);
    const calls = bill.calls.filter(({ startMs }) => startMs > before);
    const chainMs = longestChain(calls);
    const slotsMs = (calls.length * latencyMs) / SLOTS;
    const activities = report.activities;
    return {
      latencyMs,
      slots: SLOTS,
      calls: calls.length,
      wallMs: report.wallMs,
      chainMs,
      boundMs: Math.max(chainMs, slotsMs),
      ratio: report.wallMs / Math.max(chainMs, slotsMs),
      steps: activities,
      beyondMsAStep: (report.wallMs - Math.max(chainMs, slotsMs)) / activities,
    };
  } finally {
    if (model.exitCode === null) model.kill('SIGTERM');
    if (dev !== null) {
      dev.kill('SIGTERM');
      await once(dev, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A server and a worker that stay, as an operator has them. */
async function startDev(folder, env) {
  const child = spawn(process.execPath, [join(root, 'dist', 'cli', 'main.js'), 'dev', '--json'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(createInterface(child.stdout), 'line');
  return child;
}

async function runReport(folder, env, id, question) {
  const args = ['report', question, '--sources', join(root, 'examples', 'vitamin-d'), '--id', id, '--json'];
  const child = spawn(process.execPath, [join(root, 'dist', 'cli', 'main.js'), ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The report ended with ${code}`);
  const report = JSON.parse(readFileSync(join(folder, 'reports', id, 'report.json'), 'utf8'));
  const wallMs = Object.values(report.timings.byPass).reduce((sum, passMs) => sum + passMs, 0);
  // Each section is written in one; the notes are one group, with seven that ask a model or might, and seven that ask nobody.
  return { wallMs, activities: report.sections.length + 14 };
}
