// Runs and answers by the openai engine, against a model server on loopback that takes a set time to answer and counts.
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openColligate } from '#built/client';
import { root } from '../checkout.mjs';
import { busyMs, longestChain, type Call } from './history';
import {
  busyShare,
  inFolder,
  MAIN,
  now,
  started,
  stop,
  typeScript,
  watchProcess,
  type Started,
  type Usage,
} from './processes';

/** How many calls the worker has at once. */
const SLOTS = 8;
const CHARS_PER_TOKEN = 4;
const NOTES = join(root, 'examples', 'vitamin-d');
const good = { name: 'good', contextTokens: 128_000, price: null };
const MODELS = { fast: good, strong: good, critic: good };

interface WithModel {
  folder: string;
  start: (args: readonly string[], env?: NodeJS.ProcessEnv) => Promise<Started>;
  /** The environment in which a worker asks the model. */
  env: NodeJS.ProcessEnv;
  /** Ends the model, and gives what it was asked. */
  bill: () => Promise<Call[]>;
}

/** A folder and a model, and what is started beside them; all is gone when the work has ended. */
function withModel<Result>(
  args: readonly string[],
  work: (given: WithModel) => Promise<Result>,
): Promise<Result> {
  return inFolder('bench-models', async (folder) => {
    const all: Started[] = [];
    const start: WithModel['start'] = async (own, env = process.env) => {
      const one = await started(own, { cwd: folder, env });
      all.push(one);
      return one;
    };
    try {
      const model = await start(typeScript('tests/model-server/serve-good-model.ts', ...args));
      const { baseUrl } = z.object({ baseUrl: z.string() }).parse(JSON.parse(model.said));
      const env = {
        ...process.env,
        OPENAI_BASE_URL: baseUrl,
        OPENAI_API_KEY: 'none',
        COLLIGATE_MODEL_FAST: 'good',
        COLLIGATE_MODEL_STRONG: 'good',
        COLLIGATE_MAX_CONCURRENT_CALLS: String(SLOTS),
      };
      const bill = async (): Promise<Call[]> => {
        const told = once(model.lines, 'line') as Promise<[string]>;
        model.child.kill('SIGTERM');
        // The project's own server writes it.
        return (JSON.parse((await told)[0]) as { calls: Call[] }).calls;
      };
      return await work({ folder, start, env, bill });
    } finally {
      for (const one of all.reverse()) await stop(one);
    }
  });
}

const Made = z.object({
  sections: z.array(z.unknown()),
  timings: z.object({ byPass: z.record(z.string(), z.number()) }),
});

/** A report by the command line, beside `dev`. */
async function reportOf(
  { folder, start, env }: WithModel,
  { id, question, sources }: { id: string; question: string; sources: string },
): Promise<z.infer<typeof Made>> {
  const { child } = await start([MAIN, 'report', question, '--sources', sources, '--id', id, '--json'], env);
  if (child.exitCode === null) await once(child, 'exit');
  if (child.exitCode !== 0) throw new Error(`The report ended with ${String(child.exitCode)}`);
  return Made.parse(JSON.parse(readFileSync(join(folder, 'reports', id, 'report.json'), 'utf8')));
}

const REPORT_QUESTION = 'Does vitamin D supplementation improve health outcomes in adults?';
/** Asked first, so that the worker that is measured has done one before. */
const WARMING = 'What does vitamin D do for grown people?';
/** Each section is written in one; the notes are one group, with seven that ask a model or might, and seven that ask nobody. */
const ACTIVITIES_AROUND = 14;

export interface ModelFigures {
  latencyMs: number;
  slots: number;
  calls: number;
  wallMs: number;
  /** What the calls had to take at least. */
  boundMs: number;
  ratio: number;
  /** How many activities there were. */
  steps: number;
  beyondMsAStep: number;
}

/** A report over the notes in examples/: how much longer the run takes than its calls have to. */
export function measureModels(latencyMs: number): Promise<ModelFigures> {
  return withModel([String(latencyMs)], async (given) => {
    await given.start([MAIN, 'dev', '--json'], given.env);
    await reportOf(given, { id: 'first', question: WARMING, sources: NOTES });
    const before = now();
    const { timings, sections } = await reportOf(given, {
      id: 'measured',
      question: REPORT_QUESTION,
      sources: NOTES,
    });
    const wallMs = Object.values(timings.byPass).reduce((sum, passMs) => sum + passMs, 0);
    const steps = sections.length + ACTIVITIES_AROUND;
    const calls = (await given.bill()).filter(({ startMs }) => startMs > before);
    const boundMs = Math.max(longestChain(calls), (calls.length * latencyMs) / SLOTS);
    const beyondMsAStep = (wallMs - boundMs) / steps;
    return {
      latencyMs,
      slots: SLOTS,
      calls: calls.length,
      wallMs,
      boundMs,
      ratio: wallMs / boundMs,
      steps,
      beyondMsAStep,
    };
  });
}

interface SourceRecord {
  url?: string;
  content: string;
}

export interface CostMaterial {
  name: 'articles' | 'notes';
  question: string;
  sources: SourceRecord[];
  /** Some of the sources with a number changed, each of which gets a run of its own after the first. */
  changes: SourceRecord[];
}

/** The notes of examples/, and each of them with one number of its results changed. */
export function notesToRead(question: string): CostMaterial {
  const sources = readdirSync(NOTES)
    .sort()
    .map((file) => noteOf(readFileSync(join(NOTES, file), 'utf8')));
  const changes = sources.map((source) => ({ ...source, content: withOneNumberChanged(source.content) }));
  return { name: 'notes', question, sources, changes };
}

/** The records of a file that has one a line, the first of them. */
export function readLines<Line>(file: string, most = Infinity): Line[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  // The studies have a format of their own, which whoever reads them knows.
  return lines
    .filter((line) => line !== '')
    .slice(0, most)
    .map((line) => JSON.parse(line) as Line);
}

/** A note's front matter is a line for each key, its value in quotes. */
function noteOf(text: string): SourceRecord {
  const [, head = '', content = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(text) ?? [];
  const entries = head.split('\n').map((line) => {
    const [, key = '', value = ''] = /^(\w+): (.*)$/.exec(line) ?? [];
    return [key, value.startsWith('"') ? (JSON.parse(value) as string) : value];
  });
  return { ...(Object.fromEntries(entries) as object), content: content.trim() };
}

/** The last digit of the first number under "Results" is another one. */
function withOneNumberChanged(content: string): string {
  const from = Math.max(0, content.indexOf('## Results'));
  const after = content
    .slice(from)
    .replace(/(?<![\p{L}\d-])(\d+)(?![\d-]*\p{L})/u, (number) => String(Number(number) + 1));
  return content.slice(0, from) + after;
}

const sumOf = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);

interface Cost {
  calls: number;
  tokensIn: number;
  /** Of the prompts how much is how an earlier one began. */
  sharedShare: number;
}

export interface CostFigures extends Cost {
  name: CostMaterial['name'];
  sourceTokens: number;
  steps: (Cost & { step: string; copies: number })[];
  /** How many calls each change asked for anew. */
  again: number[];
}

/**
 * What a report costs over a collection: tokens in by step, how often each source is sent, how much of the prompts is how an
 * earlier one began, and what is asked anew when one number of one source changes.
 */
export function measureCost({ name, sources, question, changes }: CostMaterial): Promise<CostFigures> {
  return withModel(['0'], async (given) => {
    await given.start([MAIN, 'dev', '--json'], given.env);
    const reportOn = (id: string, records: readonly SourceRecord[]): Promise<unknown> => {
      const file = join(given.folder, `${id}.jsonl`);
      writeFileSync(file, records.map((source) => `${JSON.stringify(source)}\n`).join(''));
      return reportOf(given, { id, question, sources: file });
    };
    await reportOn('first', sources);
    const begins: number[] = [];
    for (const [at, changed] of changes.entries()) {
      begins.push(now());
      const after = sources.map((source) => (source.url === changed.url ? changed : source));
      await reportOn(`changed-${at}`, after);
    }
    const calls = await given.bill();
    const between = (from: number, until = Infinity): Call[] =>
      calls.filter(({ startMs }) => startMs >= from && startMs < until);
    const first = between(0, begins[0]);
    const tokens = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN);
    const costOf = (own: readonly Call[]): Cost => {
      const chars = sumOf(own, (call) => call.chars);
      const sharedShare = sumOf(own, ({ sharedChars }) => sharedChars) / chars;
      return { calls: own.length, tokensIn: tokens(chars), sharedShare };
    };
    return {
      name,
      sourceTokens: tokens(sumOf(sources, ({ content }) => content.length)),
      ...costOf(first),
      steps: [...new Set(first.map(({ step }) => step))].map((step) => {
        const own = first.filter((call) => call.step === step);
        return { step, copies: sumOf(own, (call) => call.sources) / sources.length, ...costOf(own) };
      }),
      again: begins.map((from, at) => between(from, begins[at + 1]).length),
    };
  });
}

export interface AnswerByModel {
  calls: number;
  ms: number;
  /** What was waited while no call was under way. */
  beyondMs: number;
}

const ANSWERED = ['falls', 'fractures', 'colds', 'asthma', 'pain'].map(
  (outcome) => `Does vitamin D change ${outcome} in adults?`,
);

/** Answers over the notes of examples/: what is waited beyond the time in which at least one call was under way. */
export function measureAnswersByModel(latencyMs: number): Promise<AnswerByModel[]> {
  return withModel([String(latencyMs)], async ({ folder, start, env, bill }) => {
    await start([MAIN, 'dev', '--json'], env);
    const colligate = await openColligate({ dataDir: join(folder, '.colligate') });
    const asked: { since: number; until: number }[] = [];
    try {
      const corpus = await colligate.openCorpus({ paths: [NOTES] });
      for (const question of [WARMING, ...ANSWERED]) {
        const since = now();
        await colligate.answer({ question, corpus, engine: 'openai', models: MODELS });
        asked.push({ since, until: now() });
      }
    } finally {
      await colligate.close();
    }
    const calls = await bill();
    return asked.slice(1).map(({ since, until }) => {
      const own = calls.filter(({ startMs }) => startMs >= since && startMs < until);
      const inCallsMs = busyMs(own.map(({ startMs, endMs }) => ({ startedAt: startMs, endedAt: endMs })));
      return { calls: own.length, ms: until - since, beyondMs: until - since - inCallsMs };
    });
  });
}

export const THROUGHPUT = {
  runs: 100,
  workers: 2,
  latencyMs: 1_000,
  requestsPerSecond: 20,
  maxSharedCalls: 24,
};
const SOURCES_OF_RUN = 4;

type Throughput = typeof THROUGHPUT;

export interface ThroughputFigures extends Throughput {
  tookMs: number;
  busy: number;
  /** Of each worker. */
  usage: (Usage | null)[];
  ended: { question: string; askedAt: number; endedAt: number; status: string }[];
  calls: Call[];
}

/** Many runs at once on several workers: whether all end, how fair it is between them, and what the endpoint sees of it. */
export function measureThroughput(given = THROUGHPUT): Promise<ThroughputFigures> {
  const { runs, workers, latencyMs, requestsPerSecond, maxSharedCalls } = given;
  return withModel([String(latencyMs), 'times'], async ({ folder, start, env, bill }) => {
    await start([MAIN, 'server', '--json']);
    const limits = {
      COLLIGATE_MAX_CONCURRENT_CALLS: '16',
      COLLIGATE_MAX_SHARED_CALLS: String(maxSharedCalls),
      COLLIGATE_REQUESTS_PER_SECOND: String(requestsPerSecond),
      COLLIGATE_LOG_LEVEL: 'error',
    };
    const worker = (): Promise<Started> => start([MAIN, 'worker', '--json'], { ...env, ...limits });
    const all = await Promise.all(Array.from({ length: workers }, worker));
    const watched = all.map(({ child }) => watchProcess(child.pid));
    const load = busyShare();
    const since = now();
    const ended = await carriedOut(folder, runs);
    const tookMs = now() - since;
    const busy = load();
    const usage = watched.map((one) => one.stop());
    return { ...given, tookMs, busy, usage, ended, calls: await bill() };
  });
}

/** All are started at once, and waited for. */
async function carriedOut(folder: string, runs: number): Promise<ThroughputFigures['ended']> {
  const colligate = await openColligate({ dataDir: join(folder, '.colligate') });
  try {
    const files = readdirSync(NOTES).sort().slice(0, SOURCES_OF_RUN);
    const sources = { paths: files.map((file) => join(NOTES, file)) };
    const begun = await Promise.all(
      Array.from({ length: runs }, async (_, index) => {
        // Another question is another prompt, so that no run has the answers of another.
        const question = `Does vitamin D improve the health of group ${index + 1}?`;
        const askedAt = now();
        const wanted = {
          question,
          sources,
          runId: `run-${index}`,
          engine: 'openai' as const,
          models: MODELS,
        };
        const { run } = await colligate.startReport(wanted);
        return { run, question, askedAt };
      }),
    );
    return await Promise.all(
      begun.map(async ({ run, ...asked }) => {
        const { status } = await run.waitUntilClosed();
        return { ...asked, status: status as string, endedAt: now() };
      }),
    );
  } finally {
    await colligate.close();
  }
}
