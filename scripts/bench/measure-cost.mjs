// What a report by the openai engine costs over a collection: tokens in by step, how often each source is sent, how much of
// the prompts is how an earlier one began, and what is asked anew when one number of one source changes. The model server
// on loopback counts; it answers at once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../checkout.mjs';
import { articlesToRead, CHARS_PER_TOKEN, notesToRead, writeSources } from './cost-material.mjs';
import { longestChain } from './longest-chain.mjs';

const SLOTS = 8;

/** The sources are records; `changes` are some of them with a number changed, each of which gets a run of its own after the first. */
export async function measureCost({ name, sources, question, changes }, latencyMs = 0) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'colligate-bench-cost-'));
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
    dev = spawn(process.execPath, [join(root, 'dist', 'cli', 'main.js'), 'dev', '--json'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(createInterface(dev.stdout), 'line');
    const report = await runReport(folder, env, { id: 'first', question, sources });
    const begins = [];
    for (const [at, changed] of changes.entries()) {
      begins.push(performance.timeOrigin + performance.now());
      const after = sources.map((source) => (source.url === changed.url ? changed : source));
      await runReport(folder, env, { id: `changed-${at}`, question, sources: after });
    }
    const told = once(lines, 'line');
    model.kill('SIGTERM');
    const { calls } = JSON.parse((await told)[0]);
    const isFirst = ({ startMs }) => begins.length === 0 || startMs < begins[0];
    const again = begins.map((from, at) =>
      calls
        .filter(({ startMs }) => startMs >= from && startMs < (begins[at + 1] ?? Infinity))
        .map(({ step }) => step),
    );
    return { name, ...figuresOf(calls.filter(isFirst), sources, report), again };
  } finally {
    if (model.exitCode === null) model.kill('SIGTERM');
    if (dev !== null) {
      dev.kill('SIGTERM');
      await once(dev, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

function figuresOf(calls, sources, report) {
  const tokens = (chars) => Math.ceil(chars / CHARS_PER_TOKEN);
  const steps = [...new Set(calls.map(({ step }) => step))].map((step) => {
    const own = calls.filter((call) => call.step === step);
    return {
      step,
      calls: own.length,
      tokensIn: tokens(sum(own, ({ chars }) => chars)),
      copies: sum(own, (call) => call.sources) / sources.length,
      sharedShare: sum(own, ({ sharedChars }) => sharedChars) / sum(own, ({ chars }) => chars),
    };
  });
  const chars = sum(calls, (call) => call.chars);
  return {
    sources: sources.length,
    sourceTokens: tokens(sum(sources, ({ content }) => content.length)),
    calls: calls.length,
    tokensIn: tokens(chars),
    sharedShare: sum(calls, ({ sharedChars }) => sharedChars) / chars,
    chainMs: longestChain(calls),
    steps,
    report,
  };
}

async function runReport(folder, env, { id, question, sources }) {
  const file = writeSources(join(folder, `${id}.jsonl`), sources);
  const args = ['report', question, '--sources', file, '--id', id, '--json'];
  const child = spawn(process.execPath, [join(root, 'dist', 'cli', 'main.js'), ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The report ended with ${code}`);
  const report = JSON.parse(readFileSync(join(folder, 'reports', id, 'report.json'), 'utf8'));
  const quotes = report.claims.flatMap(({ evidence }) => evidence.map(({ quote }) => quote));
  return {
    wallMs: sum(Object.values(report.timings.byPass)),
    sections: report.sections.length,
    claims: report.claims.length,
    quotes: new Set(quotes).size,
    cited: report.citations.length,
    conflicts: report.conflicts.length,
    status: report.status,
    warnings: [...new Set(report.warnings.map(({ code }) => code))],
  };
}

function sum(items, of = (item) => item) {
  return items.reduce((total, item) => total + of(item), 0);
}

if (process.argv[1] === import.meta.filename) {
  const material = process.argv[2] === 'articles' ? articlesToRead() : notesToRead();
  const figures = await measureCost(material, Number(process.argv[3] ?? 0));
  process.stdout.write(`${JSON.stringify(figures, null, 1)}\n`);
}
