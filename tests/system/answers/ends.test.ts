import { ApplicationFailure } from '@temporalio/common';
import { WorkflowFailedError } from '@temporalio/client';
import { replyUpdate } from '../../../src/workflows/answer/messages';
import { BY_MODEL, idOf, INVENTED_CLAIM, OBSERVATIONS, says } from '../../support/answer-script';
import { textOf, TRUE_CLAIM } from '../../support/answer-script';
import { forAllTests } from '../../support/for-all-tests';
import { until } from '../../support/until';
import { openAnswerBench } from './answer-bench';

const bench = forAllTests(openAnswerBench);

const SHORT = { patienceMs: 0, afterwards: 'fail', firstWaitMs: 50, attempts: 1 } as const;

const away = (): never => {
  throw ApplicationFailure.retryable('The endpoint is away.', 'ModelFailure.unreachable');
};
const good = says((input) => textOf([[TRUE_CLAIM, idOf(input, 'example-based')]]));
const asked = { ...BY_MODEL, question: 'What does DAIL-SQL use?', observations: OBSERVATIONS };

describe('an endpoint that is away for longer than somebody waits', () => {
  it('leaves what the caller had, with confidence 0 and why', async () => {
    bench.play({ ...good, answer: away });
    const given = { ...asked, finalOutput: 'It uses demonstrations.', outages: SHORT };
    const reply = await bench.ask('away', given);
    expect(reply).toMatchObject({ outcome: 'fallback', answer: 'It uses demonstrations.', confidence: 0 });
    expect(reply.diagnostics.failure).toContain('The endpoint is away');
  });

  it('leaves a plain message where the caller had nothing', async () => {
    bench.play({ ...good, answer: away });
    const reply = await bench.ask('away-plain', { ...asked, outages: SHORT });
    expect(reply).toMatchObject({ outcome: 'fallback', confidence: 0, claims: [] });
    expect(reply.answer).not.toBe('');
    const events = await bench.eventsOf('away-plain');
    expect(events.at(-1)).toMatchObject({ type: 'run-completed', payload: { status: 'partial' } });
  });

  it('leaves the text of an attempt before it went away', async () => {
    let texts = 0;
    bench.play({
      ...good,
      answer: (input: never) => {
        texts += 1;
        if (texts > 1) away();
        return textOf([
          [TRUE_CLAIM, idOf(input, 'example-based')],
          [INVENTED_CLAIM, idOf(input, 'Spider')],
        ]);
      },
    });
    const reply = await bench.ask('away-later', { ...asked, outages: SHORT });
    expect(reply).toMatchObject({ outcome: 'answered', diagnostics: { attempts: 2 } });
    expect(reply.answer).toContain(TRUE_CLAIM);
    expect(reply.diagnostics.failure).toContain('The endpoint is away');
  });
});

it('a cancelled request has its reply', async () => {
  const hold = bench.play(good).hold('answer');
  const run = await bench.start('cancelled', { ...asked, finalOutput: 'Until then: demonstrations.' });
  const waiting = run.executeUpdate(replyUpdate);
  await hold.reached;
  await run.cancel();
  await expect(waiting).resolves.toMatchObject({
    outcome: 'fallback',
    answer: 'Until then: demonstrations.',
    diagnostics: { failure: 'The request was cancelled.' },
  });
  await expect(run.result()).rejects.toThrow(WorkflowFailedError);
  expect((await bench.eventsOf('cancelled')).at(-1)).toMatchObject({ payload: { status: 'cancelled' } });
});

it('a request whose time is over has its reply', async () => {
  const hold = bench.play(good).hold('answer');
  const reply = await bench.ask('out-of-time', { ...asked, budget: { maxTimeMs: 1_500 } });
  hold.release();
  expect(reply).toMatchObject({
    outcome: 'fallback',
    diagnostics: { failure: 'The time allowed for the answer was over.' },
  });
});

it.each([
  ['a budget without room for a model', null, { maxTokens: 10 }, 'budget', /no room to ask a model for/],
  [
    'a model of which nothing can be used',
    ApplicationFailure.nonRetryable('It is no JSON.', 'StepFailedError'),
    {},
    'model-unusable',
    /could not be used/,
  ],
])('%s has an answer in the words of the passages', async (name, failure, budget, code, reason) => {
  bench.play(good, { failing: (step) => (step === 'answer' ? failure : null) });
  const reply = await bench.ask(name, { ...asked, budget });
  if (failure === null) expect(bench.engine.calls).toEqual([]);
  expect(reply.outcome).toBe('answered');
  expect(reply.claims.map((claim) => claim.code)).toContain('same-words');
  const told = reply.diagnostics.warnings.filter((warning) => warning.code === code);
  expect(told.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/write.*; it was done by quoting instead/),
  );
  expect(told.map(({ message }) => message).join()).toMatch(reason);
});

it('an activity that fails for good leaves a fallback', async () => {
  bench.play(good).failOnce('answer', ApplicationFailure.nonRetryable('this is out of order.'));
  expect(await bench.ask('out-of-order', asked)).toMatchObject({
    outcome: 'fallback',
    confidence: 0,
    diagnostics: { failure: 'this is out of order' },
  });
});

it('a request that is paused waits, and has its reply when it is resumed', async () => {
  bench.play(good);
  const run = await bench.start('paused', asked);
  await run.signal('pause');
  const waiting = run.executeUpdate(replyUpdate);
  await until(
    () => run.query<{ status: string }>('progress'),
    ({ status }) => status === 'paused' || status === 'completed',
  );
  await run.signal('resume');
  await expect(waiting).resolves.toMatchObject({ outcome: 'answered' });
});
