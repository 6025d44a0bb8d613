import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sectionsUnlikeReport, sectionTexts } from '../../../src/client';
import { answers, delta, goesSilent } from '../../model-server/behaviours';
import { createGoodModel, messagesOf } from '../../model-server/good-model';
import {
  type Behaviour,
  type ModelServer,
  type RecordedRequest,
  startModelServer,
} from '../../model-server/model-server';
import { stepOfPrompt } from '../../model-server/prompt-material';
import { followCutOff, type Followed, problemsOfFollower } from '../../support/kills/follower';
import type { Hold } from '../../support/kills/hold';
import { type KillBench, openKillBench } from '../../support/kills/kill-bench';
import { type Material, NOTES as ALL_NOTES } from '../../support/kills/material';
import { comparable, keysOf, problemsOfLog, type RunRecord } from '../../support/kills/run-record';
import { until } from '../../support/until';

// One worker is killed while it works on four runs. The Temporal server is killed before the next worker starts.

const [FOLDER = ''] = ALL_NOTES.paths;
const NOTES: Material = {
  ...ALL_NOTES,
  paths: readdirSync(FOLDER)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .slice(0, 8)
    .map((name) => join(FOLDER, name)),
};
const IN_PASS: Hold = { runId: 'in-pass', at: 'recorded', event: 'deep-dive-section' };
const AUDITED: Hold = {
  runId: 'audited',
  at: 'recorded',
  event: 'audit',
  telling: { needsRetry: true },
};
const MENDED: Hold = { runId: 'mended', at: 'recorded', event: 'revision' };
const HOLDS = [IN_PASS, AUDITED, MENDED];
/** Killed while a text is written, audited and mended. */
const BY_MODEL = ['followed', 'audited', 'mended'];
/** In the prompts: no run gets the cached answers of another one. */
const questionOf = (runId: string): string => `${NOTES.question} (${runId})`;

let bench: KillBench;
let server: ModelServer;
let followed: Followed;
const records = new Map<string, RunRecord>();

/** A good model that adds a wrong number to the texts of `audited` and `mended`, and stops in the text of `followed`. */
function modelScript(): { script: (request: RecordedRequest) => Behaviour; isSilent: () => boolean } {
  const model = createGoodModel();
  let silent = false;
  const script = (request: RecordedRequest): Behaviour => {
    const [system = '', user = ''] = messagesOf(request);
    if (stepOfPrompt(system, user) !== 'write-text') return model.answer(request);
    const text = model.textFor(request);
    if (!user.includes(questionOf('followed'))) return answers(text.replace(/^- /m, '- In 7531 patients, '));
    if (silent) return model.answer(request);
    silent = true;
    const halfway = text.slice(0, text.indexOf('\n\n', text.length / 2) + 20);
    return goesSilent((halfway.match(/[^]{1,60}/g) ?? []).map((piece) => delta(piece)));
  };
  return { script, isSilent: () => silent };
}

beforeAll(async () => {
  bench = await openKillBench();
  const { script, isSilent } = modelScript();
  server = await startModelServer(script);
  const price = { input: 1, output: 2 };
  await bench.useModels(server, { prices: { small: price, large: price } });
  const first = await bench.startHoldingWorker(HOLDS);
  await bench.start('in-pass', NOTES);
  for (const runId of ['audited', 'mended'])
    await bench.start(runId, { ...NOTES, question: questionOf(runId) }, 'openai');
  const run = await bench.start('followed', { ...NOTES, question: questionOf('followed') }, 'openai');
  const follower = followCutOff(run, { seed: 7, early: 3, inTexts: 3 });
  for (const hold of HOLDS) await first.holds(hold);
  // The kill hits the held activities and nothing else.
  for (const runId of ['in-pass', 'audited', 'mended', 'followed'])
    await until(
      () => bench.pending(runId),
      (activities) => activities.length === 1 && (runId !== 'followed' || isSilent()),
    );
  await until(
    () => bench.stores.events.read('followed'),
    (events) => events.some(({ type }) => type === 'content-chunk'),
  );
  await first.kill();
  follower.cut();
  await bench.server.restart();
  await bench.startWorker();
  await bench.start('in-pass-undisturbed', NOTES);
  for (const runId of ['in-pass', 'in-pass-undisturbed', 'audited', 'mended', 'followed'])
    records.set(runId, await bench.finished(runId));
  followed = await follower.ended;
  for (const runId of BY_MODEL) {
    await bench.start(`${runId}-undisturbed`, { ...NOTES, question: questionOf(runId) }, 'openai');
    records.set(`${runId}-undisturbed`, await bench.finished(`${runId}-undisturbed`));
  }
});
afterAll(async () => {
  await bench.close();
  await server.close();
});

function recordOf(runId: string): RunRecord {
  const record = records.get(runId);
  if (record === undefined) throw new Error(`${runId} has no report`);
  return record;
}

/** How often each request of a run was sent. */
function requestsOf(runId: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const request of server.asked) {
    const words = messagesOf(request).join('\n');
    if (words.includes(questionOf(runId))) counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return counts;
}

test('a report outlives its worker killed in pass 2, and the server', async () => {
  const [record, undisturbed] = [recordOf('in-pass'), recordOf('in-pass-undisturbed')];
  expect(record.markdown).toBe(undisturbed.markdown);
  expect(comparable(record)).toEqual(comparable(undisturbed));
  expect(problemsOfLog(record)).toEqual([]);
  expect(keysOf(record)).toEqual(keysOf(undisturbed));
  await until(
    () => bench.executions('in-pass'),
    (statuses) => statuses.join() === 'COMPLETED',
  );
});

test.each(['audited', 'mended'])('a worker killed while a text is %s pays for nothing twice', (runId) => {
  const record = recordOf(runId);
  const requests = requestsOf(runId);
  expect(requests.size).toBeGreaterThan(5);
  expect([...requests].filter(([, times]) => times > 1)).toEqual([]);
  expect(record.markdown).not.toContain('7531');
  expect(record.events.filter(({ type, payload }) => type === 'audit' && payload.revision === 1)).not.toEqual(
    [],
  );
  expect(problemsOfLog(record)).toEqual([]);
});

test.each([
  ['written', 'followed'],
  ['audited', 'audited'],
  ['mended', 'mended'],
])('a run killed while its text was %s leaves the bytes of one that was not', (_doing, runId) => {
  const [record, undisturbed] = [recordOf(runId), recordOf(`${runId}-undisturbed`)];
  expect(record.markdown).toBe(undisturbed.markdown);
  expect(withoutVersions(record)).toEqual(withoutVersions(undisturbed));
  expect(keysOf(record)).toEqual(keysOf(undisturbed));
});

/** The versions that were judged are stored with times. */
function withoutVersions({ report, markdown }: RunRecord): unknown {
  return comparable({ report: { ...report, judge: null }, markdown });
}

test('a follower that is cut off gets every event once, and the text of the report', () => {
  const record = recordOf('followed');
  expect(followed.cuts.length).toBeGreaterThanOrEqual(5);
  expect(followed.cuts.some(({ midText }) => midText)).toBe(true);
  expect(problemsOfFollower(followed, record.events)).toEqual([]);
  expect(problemsOfLog(record)).toEqual([]);
  expect(sectionsUnlikeReport(sectionTexts(followed.events), record.report)).toEqual([]);
  // Only the request that was under way is sent again.
  expect([...requestsOf('followed').values()].filter((times) => times > 1)).toEqual([2]);
});
