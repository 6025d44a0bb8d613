import type { Hold } from '../../support/kills/hold';
import { openKillBench, type KillBench } from '../../support/kills/kill-bench';
import { NOTES } from '../../support/kills/material';
import { comparable, problemsOfLog, type RunRecord } from '../../support/kills/run-record';
import { answers, delta, goesSilent, hangs } from '../../model-server/behaviours';
import { createGoodModel, messagesOf } from '../../model-server/good-model';
import {
  startModelServer,
  type Behaviour,
  type ModelServer,
  type RecordedRequest,
} from '../../model-server/model-server';
import { lineOf, stepOfPrompt } from '../../model-server/prompt-material';
import { until } from '../../support/until';

/**
 * Each point with what the worker holds there; where that is nothing, the server does. The fourth request, which asks whether sources
 * agree, is the same in all runs: held while it is under way, it would hold them all.
 */
const POINTS: [point: string, runId: string, hold: Hold | null, askedAgain: number][] = [
  ['before a call', 'before', { runId: 'before', at: 'before the call', request: 2 }, 0],
  ['in mid-stream', 'stream', null, 1],
  ['after the last byte', 'last-byte', { runId: 'last-byte', at: 'before the cache write', request: 3 }, 1],
  ['after the cache write', 'kept', { runId: 'kept', at: 'after the cache write', request: 4 }, 0],
  [
    'between passes',
    'passes',
    { runId: 'passes', at: 'recorded', event: 'multi-pass-phase', telling: { pass: 3 } },
    0,
  ],
  ['during a repair turn', 'repair', null, 1],
  [
    'between an audit and its rewriting',
    'audited',
    { runId: 'audited', at: 'recorded', event: 'audit', telling: { needsRetry: true } },
    0,
  ],
];
/** In the prompts, so that no run has another's answers. */
const questionOf = (runId: string): string => `${NOTES.question} (${runId})`;

let firstSection: string | null = null;
let bench: KillBench;
let server: ModelServer;
let undisturbedServer: ModelServer;
const records = new Map<string, { disturbed: RunRecord; undisturbed: RunRecord }>();

/** The good model, which in the run `repair` gets its findings wrong at first, and in `audited` a sentence of its first section. */
function modelScript(hold: (request: RecordedRequest, text: string) => Behaviour | null) {
  const model = createGoodModel();
  return (request: RecordedRequest): Behaviour => {
    const text = model.textFor(request);
    const held = hold(request, text);
    if (held !== null) return held;
    if (isOf(request, 'audited', 'write-section') && isFirstSection(request)) {
      const isTold = messagesOf(request).join('\n').includes('was audited, and this was wrong');
      return answers(isTold ? text : text.replace(/^(?!#|$)/m, 'In 7531 patients, '));
    }
    if (isOf(request, 'repair', 'extract-findings') && !isRepair(request)) {
      const wrong = {
        claim: 'Nobody says so.',
        evidence: [{ source: 'S99', quote: 'Nobody.' }],
        confidence: 1,
      };
      return answers(text.replace(/\]\}$/, `,${JSON.stringify(wrong)}]}`));
    }
    return model.answer(request);
  };
}

/** Stops the first answer of `stream` after its first paragraph, and the first repair of `repair`. */
function holdingAtServer(): { hold: Parameters<typeof modelScript>[0]; held: ReadonlySet<string> } {
  const held = new Set<string>();
  return {
    held,
    hold(request, text) {
      const paragraph = text.indexOf('\n\n');
      if (!held.has('stream') && isOf(request, 'stream', 'write-section') && paragraph > 0) {
        held.add('stream');
        return goesSilent([delta(text.slice(0, paragraph + 20))]);
      }
      if (!held.has('repair') && isOf(request, 'repair', 'extract-findings') && isRepair(request)) {
        held.add('repair');
        return hangs();
      }
      return null;
    },
  };
}

function isOf(request: RecordedRequest, runId: string, step: string): boolean {
  const [system = '', user = ''] = messagesOf(request);
  return user.includes(questionOf(runId)) && stepOfPrompt(system, user) === step;
}

/** Sections are asked for at once; the first of them is known by what it is about. */
function isFirstSection(request: RecordedRequest): boolean {
  firstSection ??= lineOf(messagesOf(request)[1] ?? '', 'Section:');
  return lineOf(messagesOf(request)[1] ?? '', 'Section:') === firstSection;
}

function isRepair(request: RecordedRequest): boolean {
  return messagesOf(request).length > 2;
}

const start = (runId: string, question: string): Promise<unknown> =>
  bench.start(runId, { ...NOTES, question }, 'openai');

beforeAll(async () => {
  bench = await openKillBench();
  const { hold, held } = holdingAtServer();
  server = await startModelServer(modelScript(hold));
  undisturbedServer = await startModelServer(modelScript(() => null));
  const runIds = POINTS.map(([, runId]) => runId);
  const holds = POINTS.flatMap(([, , point]) => point ?? []);

  await bench.useModels(server);
  const first = await bench.startHoldingWorker(holds);
  await Promise.all(runIds.map((runId) => start(runId, questionOf(runId))));
  for (const point of holds) await first.holds(point);
  await until(
    async () => held.size,
    (atServer) => atServer === 2,
  );
  // What else a run had under way is done, so that the kill hits what is held and nothing else.
  await Promise.all(
    runIds.map((runId) =>
      until(
        () => bench.pending(runId),
        (activities) => activities.length === 1,
      ),
    ),
  );
  await until(
    () => bench.stores.events.read('stream'),
    (events) => events.some(({ type }) => type === 'content-chunk'),
  );
  await first.kill();

  const survivor = await bench.startWorker();
  const disturbed = await Promise.all(runIds.map((runId) => bench.finished(runId)));
  await survivor.kill();
  await bench.useModels(undisturbedServer);
  await bench.startWorker();
  await Promise.all(runIds.map((runId) => start(`${runId}-undisturbed`, questionOf(runId))));
  for (const [index, runId] of runIds.entries()) {
    const record = disturbed[index];
    const undisturbed = await bench.finished(`${runId}-undisturbed`);
    if (record !== undefined) records.set(runId, { disturbed: record, undisturbed });
  }
});
afterAll(async () => {
  await bench.close();
  await server.close();
  await undisturbedServer.close();
});

test.each(POINTS)(
  'a worker killed %s costs at most the call that was under way',
  (_point, runId, _hold, askedAgain) => {
    const asks = asksOf(server, runId);
    const undisturbed = asksOf(undisturbedServer, runId);
    expect(new Set(asks.keys())).toEqual(new Set(undisturbed.keys()));
    expect([...undisturbed.values()].every((times) => times === 1)).toBe(true);
    // One kill: a request is asked twice where it was under way then, and else once.
    expect([...asks.values()].filter((times) => times > 1)).toEqual(
      Array.from({ length: askedAgain }, () => 2),
    );
  },
);

test.each(POINTS)('a worker killed %s changes nothing in the report', (_point, runId) => {
  const found = records.get(runId);
  if (found === undefined) throw new Error('it has no report');
  expect(found.disturbed.markdown).toBe(found.undisturbed.markdown);
  expect(comparable(found.disturbed)).toEqual(comparable(found.undisturbed));
  expect(problemsOfLog(found.disturbed)).toEqual([]);
  expect(found.disturbed.report.claims.length).toBeGreaterThan(15);
});

/** How often each request of a run was asked; the marks in prompts depend on the project alone. */
function asksOf({ asked }: ModelServer, runId: string): Map<string, number> {
  const asks = new Map<string, number>();
  for (const request of asked) {
    const words = messagesOf(request).join('\n');
    if (words.includes(questionOf(runId))) asks.set(words, (asks.get(words) ?? 0) + 1);
  }
  return asks;
}
