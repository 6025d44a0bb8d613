import { estimateTokens } from '../../../src/core/budget/call-estimates';
import type { OutageSettings } from '../../../src/contracts/run/outages';
import { createGoodModel, messagesOf } from '../../model-server/good-model';
import { dropsConnection, hangs, refuses } from '../../model-server/behaviours';
import type { Behaviour } from '../../model-server/model-server';
import { stepOfPrompt } from '../../model-server/prompt-material';
import { cases } from '../../support/long';
import { until } from '../../support/until';
import { openModelBench, type ModelBench } from './model-bench';

/** An endpoint that goes away in the middle of a run, over the wire. */

const PATIENT: OutageSettings = { patienceMs: 3_600_000, afterwards: 'park', firstWaitMs: 200, attempts: 2 };
/** A question of its own for each run, so that none has the answers of another. */
const QUESTION = 'Does vitamin D supplementation improve health outcomes in adults?';

let bench: ModelBench;
beforeAll(async () => {
  bench = await openModelBench();
});
afterEach(() => bench.rest());
afterAll(() => bench.close());

const AWAY: [string, Behaviour][] = [
  ['drops its connections', dropsConnection()],
  ['refuses the key', refuses(401, { message: 'Incorrect API key provided' })],
  ['answers 503', refuses(503, { message: 'The server is restarting' })],
  ['answers 500', refuses(500, { message: 'The server had an error' })],
];

it.each(AWAY.slice(0, cases(2, 4)))(
  'a run whose endpoint %s in pass 2 ends as it does without, and asks nothing twice',
  async (what, behaviour) => {
    const model = createGoodModel();
    let isAway = false;
    let turned = false;
    let refused = 0;
    const served = await bench.serve((request) => {
      if (!turned && stepOfPrompt(...messagesOf(request)) === 'extract-findings') {
        turned = true;
        isAway = true;
      }
      if (!isAway) return model.answer(request);
      refused += 1;
      return behaviour;
    });
    const runId = `away-${what.replace(/\W/g, '-')}`;
    await served.start(runId, { question: `${QUESTION} (${what})`, outages: PATIENT });
    const run = bench.colligate.run(runId);
    const { waiting, parked } = await until(
      () => run.progress(),
      (progress) => progress.waiting !== null || progress.parked !== null,
    );
    expect(waiting?.what ?? parked?.reason).toMatch(/model endpoint|API key/);
    isAway = false;
    await run.resume();
    const { report } = await served.finished(runId);
    expect(report.status).toBe('completed');
    expect(refused).toBeGreaterThan(0);
    const answered = served.server.asked.length - refused;
    expect(model.bill.calls).toBe(answered);
    // None of the answers was asked for again; of what was refused nothing is known.
    expect(report.usage.outputTokens).toBe(model.bill.outputTokens);

    await bench.rest();
    const calm = createGoodModel();
    const same = await bench.serve((request) => calm.answer(request));
    const other = await same.report(`calm-${runId}`, { question: `${QUESTION} (${what}.)` });
    expect(report.claims.map(({ text }) => text)).toEqual(other.report.claims.map(({ text }) => text));
  },
);

it('a cancelled run has paid for what it asked, and for nothing else', async () => {
  const model = createGoodModel();
  const served = await bench.serve(
    (request) => (stepOfPrompt(...messagesOf(request)) === 'write-section' ? hangs() : model.answer(request)),
    { maxConcurrentCalls: 2 },
  );
  await served.start('cancelled', { question: `${QUESTION} (cancelled)` });
  const isHanging = (): number => served.server.asked.length - model.bill.calls;
  await until(
    () => Promise.resolve(isHanging()),
    (hanging) => hanging === 2,
  );
  await bench.colligate.run('cancelled').cancel();
  const { report } = await served.finished('cancelled');
  expect(report.status).toBe('cancelled');
  const { usage } = report;
  expect(usage.calls).toBe(served.server.asked.length);
  // Two prompts were sent without an answer; those that waited for a slot have cost nothing.
  const prompts = served.server.asked.slice(-2).map((request) => messagesOf(request).join('').length);
  const most = model.bill.inputTokens + estimateTokens(prompts[0] ?? 0) + estimateTokens(prompts[1] ?? 0);
  expect(usage.inputTokens).toBeGreaterThan(model.bill.inputTokens);
  expect(usage.inputTokens).toBeLessThan(1.1 * most + 2_000);
});
