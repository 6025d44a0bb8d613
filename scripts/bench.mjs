// `npm run bench [-- sources|model|http]`: time and memory of one report over 500 sources without a model, of one report by a model
// server on this machine, and of one run over HTTP. Each starts `colligate dev` in an empty folder. Prints the tables of
// docs/benchmarks.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { cpus, platform, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { root } from './checkout.mjs';
import { dataFolder } from './data-folder.mjs';
import { setUp } from './setup.mjs';

const MAIN = join(root, 'dist', 'cli', 'main.js');
const TSX = join(root, 'node_modules', 'tsx', 'dist', 'loader.mjs');
const NOTES = join(root, 'examples', 'vitamin-d');
const STUDIES = join(dataFolder, 'studies', 'sources.jsonl');
const QUESTION = 'Does vitamin D supplementation improve health outcomes, and by how much?';
const STUDIES_QUESTION = 'Which lifestyle interventions improve health outcomes, and by how much?';
const MODEL_LATENCY_MS = 1_000;
const MODEL_SLOTS = 8;
const STATUS_REQUESTS = 200;
const STOP_LIMIT_MS = 30_000;

const MEASUREMENTS = { sources: measureSources, model: measureModel, http: measureHttp };

/** One report over the 500 studies, or over the notes of examples/ where these are not there. */
async function measureSources() {
  const areThere = existsSync(STUDIES);
  if (!areThere) say(`There are no studies at ${STUDIES}: measured on examples/ instead.`);
  const [sources, question] = areThere ? [STUDIES, STUDIES_QUESTION] : [NOTES, QUESTION];
  return inFolder(async (start) => {
    const dev = await start([MAIN, 'dev', '--json']);
    const report = await reportOf(start, { question, sources });
    return table(areThere ? '500 studies without a model' : 'Notes of examples/ without a model', [
      ...reportRows(report),
      ...memoryRows(dev),
    ]);
  });
}

/** One report over the notes of examples/ by a model server that takes a set time for each answer. */
async function measureModel() {
  return inFolder(async (start) => {
    const server = join(root, 'tests', 'model-server', 'serve-good-model.ts');
    const model = await start(['--import', TSX, server, String(MODEL_LATENCY_MS)]);
    const env = {
      ...environment(),
      OPENAI_BASE_URL: model.said.baseUrl,
      OPENAI_API_KEY: 'none',
      COLLIGATE_MODEL_FAST: 'good',
      COLLIGATE_MODEL_STRONG: 'good',
      COLLIGATE_MAX_CONCURRENT_CALLS: String(MODEL_SLOTS),
    };
    const dev = await start([MAIN, 'dev', '--json'], env);
    const report = await reportOf(start, { question: QUESTION, sources: NOTES, env });
    const { calls } = await model.stop();
    const busy = Math.max(longestChain(calls), (calls.length * MODEL_LATENCY_MS) / MODEL_SLOTS);
    return table(`Notes of examples/ by a model that answers after ${MODEL_LATENCY_MS} ms`, [
      ...reportRows(report),
      ['calls of the model', String(calls.length)],
      [`least time for these calls, ${MODEL_SLOTS} at once`, seconds(busy)],
      ...memoryRows(dev),
    ]);
  });
}

/** One run over HTTP: started, followed to its end, its result fetched; then its status, one request after the other. */
async function measureHttp() {
  return inFolder(async (start) => {
    const dev = await start([MAIN, 'dev', '--json']);
    const ask = async (path, given) => {
      const answer = await fetch(`${dev.said.faceUrl}/v1${path}`, given);
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
      return answer.text();
    };
    const body = JSON.stringify({
      kind: 'report',
      question: QUESTION,
      sources: [{ title: 'A note', content: 'Sleep improved by 12 % in 40 adults.' }],
    });
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const started = await timed(() => ask('/runs', post));
    const { runId } = JSON.parse(started.result);
    const followed = await timed(() => ask(`/runs/${runId}/events`));
    const fetched = await timed(() => ask(`/runs/${runId}/result?format=html`));
    const statuses = [];
    for (let asked = 0; asked < STATUS_REQUESTS; asked += 1)
      statuses.push((await timed(() => ask(`/runs/${runId}`))).ms);
    statuses.sort((a, b) => a - b);
    const within = (share) => `${statuses[Math.floor(share * (statuses.length - 1))].toFixed(1)} ms`;
    return table('One run over HTTP', [
      ['start', seconds(started.ms)],
      ['events, until the run has ended', seconds(followed.ms)],
      ['result as HTML', seconds(fetched.ms)],
      [`status, ${STATUS_REQUESTS} requests: median`, within(0.5)],
      ['status: 99 of 100 within', within(0.99)],
      ...memoryRows(dev),
    ]);
  });
}

/** Makes a report by the command line, beside `dev`. */
async function reportOf(start, { question, sources, env }) {
  const { ms } = await timed(async () => {
    const args = [MAIN, 'report', question, '--sources', sources, '--id', 'measured', '--json'];
    const { child } = await start(args, env);
    if (child.exitCode === null) await once(child, 'exit');
    if (child.exitCode !== 0) throw new Error(`The report ended with ${String(child.exitCode)}.`);
  });
  const report = JSON.parse(readFileSync(join(start.folder, 'reports/measured/report.json'), 'utf8'));
  return { ms, report };
}

function reportRows({ ms, report: { status, timings, citations } }) {
  return [
    ['ends as', status],
    ['command, from its start to its end', seconds(ms)],
    ['run', seconds(timings.total)],
    ...Object.entries(timings.byPass).map(([pass, passMs]) => [`of it pass ${pass}`, seconds(passMs)]),
    ['sources cited', String(citations.length)],
  ];
}

/** The peak of a process by Linux's /proc; nothing on other systems. */
function memoryRows({ child: { pid } }) {
  const file = `/proc/${String(pid)}/status`;
  const peak = existsSync(file) ? /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
  return peak === undefined
    ? []
    : [['peak memory of worker and HTTP', `${Math.round(Number(peak) / 1024)} MB`]];
}

/** Gives `work` a function that starts Node in an empty folder; ends all processes and deletes the folder behind it. */
async function inFolder(work) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'colligate-bench-'));
  const all = [];
  const start = async (args, env = environment()) => {
    const one = await started(args, { cwd: folder, env });
    all.push(one);
    return one;
  };
  try {
    return await work(Object.assign(start, { folder }));
  } finally {
    for (const one of all.reverse()) await one.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Starts Node, and resolves with the first JSON document that the process prints. `stop` ends the process, and resolves with the
 * second, or with null.
 */
async function started(args, options) {
  const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const waiting = [];
  let [text, log] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (more) => (log += more));
  child.stdout.setEncoding('utf8').on('data', (more) => {
    text += more;
    const document = parsed(text);
    if (document === undefined) return;
    text = '';
    waiting.shift()?.resolve(document);
  });
  child.once('exit', (code, signal) => {
    for (const { reject } of waiting)
      reject(new Error(`${args.join(' ')} ended with ${code ?? signal}:\n${log}`));
  });
  const next = () => new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  const said = await next();
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return null;
    const [last, ended] = [next().catch(() => null), once(child, 'exit')];
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    await ended;
    clearTimeout(late);
    return last;
  };
  return { child, said, stop };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // more is to come
  }
}

/** Without the settings of the person who measures. */
function environment() {
  const isForeign = (name) => /^(COLLIGATE|TEMPORAL|OPENAI)_/.test(name) && name !== 'COLLIGATE_CACHE_DIR';
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isForeign(name)));
}

/** How long calls take that wait for each other: the longest sum of calls of which each begins after the one before has ended. */
function longestChain(calls) {
  const chains = [];
  for (const { startMs, endMs } of [...calls].sort((a, b) => a.startMs - b.startMs)) {
    const before = chains.filter((chain) => chain.endMs <= startMs).map(({ ms }) => ms);
    chains.push({ endMs, ms: Math.max(0, ...before) + endMs - startMs });
  }
  return Math.max(0, ...chains.map(({ ms }) => ms));
}

async function timed(work) {
  const startedAt = performance.now();
  const result = await work();
  return { result, ms: performance.now() - startedAt };
}

const seconds = (ms) => `${(ms / 1_000).toFixed(2)} s`;
const say = (line) => process.stderr.write(`${line}\n`);

function table(title, rows) {
  return [
    `## ${title}`,
    '',
    '| figure | measured |',
    '| --- | --- |',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ]
    .concat('')
    .join('\n');
}

const names = process.argv.slice(2);
const unknown = names.find((name) => !Object.hasOwn(MEASUREMENTS, name));
if (unknown === undefined) {
  await setUp();
  const { model } = cpus()[0];
  process.stdout.write(
    `${model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 1024 ** 3)} GB, ${platform()} ${release()}, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}.\n`,
  );
  for (const name of names.length > 0 ? names : Object.keys(MEASUREMENTS)) {
    say(`${name}…`);
    process.stdout.write(`\n${await MEASUREMENTS[name]()}`);
  }
} else {
  say(`There is no measurement "${unknown}"; there are ${Object.keys(MEASUREMENTS).join(', ')}.`);
  process.exitCode = 2;
}
