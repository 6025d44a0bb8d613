import { ApplicationFailure } from '@temporalio/common';
import { WorkflowFailedError } from '@temporalio/client';
import { replyUpdate } from '../../../src/workflows/answer/messages';
import { createScriptedEngine } from '../../support/scripted-engine';
import { until } from '../../support/until';
import { openAnswerBench, type AnswerBench } from './answer-bench';
import {
  BY_MODEL,
  OBSERVATIONS,
  idOf,
  INVENTED_CLAIM,
  says,
  textOf,
  TRUE_CLAIM,
} from '../../support/answer-script';

const QUESTION = 'What does DAIL-SQL use?';
const BRIEF = { patienceMs: 0, afterwards: 'fail', firstWaitMs: 50, attempts: 1 } as const;

let bench: AnswerBench;
beforeAll(async () => {
  bench = await openAnswerBench();
});
afterAll(() => bench.close());

const away = (): never => {
  throw ApplicationFailure.retryable('The endpoint is away.', 'ModelFailure.unreachable');
};
const good = says((input) => textOf([[TRUE_CLAIM, idOf(input, 'example-based')]]));
const asked = { ...BY_MODEL, question: QUESTION, observations: OBSERVATIONS };

describe('an endpoint that is away for longer than somebody waits', () => {
  it('leaves what the caller had, with confidence 0 and why', async () => {
    bench.model = createScriptedEngine({ ...good, answer: away });
    const reply = await bench.ask('away', {
      ...asked,
      finalOutput: 'It uses demonstrations.',
      outages: BRIEF,
    });
    expect(reply).toMatchObject({ outcome: 'fallback', answer: 'It uses demonstrations.', confidence: 0 });
    expect(reply.diagnostics.failure).toContain('The endpoint is away');
  });

  it('leaves a plain message where the caller had nothing', async () => {
    bench.model = createScriptedEngine({ ...good, answer: away });
    const reply = await bench.ask('away-plain', { ...asked, outages: BRIEF });
    expect(reply).toMatchObject({ outcome: 'fallback', confidence: 0, claims: [] });
    expect(reply.answer).not.toBe('');
    const events = await bench.eventsOf('away-plain');
    expect(events.at(-1)).toMatchObject({ type: 'run-completed', payload: { status: 'partial' } });
  });

  it('leaves the text of an attempt before it went away', async () => {
    let texts = 0;
    bench.model = createScriptedEngine({
      ...good,
      answer: (input: never) => {
        texts += 1;
        if (texts > 1) away();
        const places = [TRUE_CLAIM, INVENTED_CLAIM] as const;
        return textOf([
          [places[0], idOf(input, 'example-based')],
          [places[1], idOf(input, 'Spider')],
        ]);
      },
    });
    const reply = await bench.ask('away-later', { ...asked, outages: BRIEF });
    expect(reply).toMatchObject({ outcome: 'answered', diagnostics: { attempts: 2 } });
    expect(reply.answer).toContain(TRUE_CLAIM);
    expect(reply.diagnostics.failure).toContain('The endpoint is away');
  });
});

it('a cancelled request has its reply', async () => {
  const model = createScriptedEngine(good);
  const hold = model.hold('answer');
  bench.model = model;
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
  const model = createScriptedEngine(good);
  const hold = model.hold('answer');
  bench.model = model;
  const reply = await bench.ask('out-of-time', { ...asked, budget: { maxTimeMs: 1_500 } });
  hold.release();
  expect(reply).toMatchObject({
    outcome: 'fallback',
    diagnostics: { failure: 'The time allowed for the answer was over.' },
  });
});

it('a budget without room for a model has an answer in the words of the passages', async () => {
  bench.model = createScriptedEngine(good);
  const reply = await bench.ask('no-budget', { ...asked, budget: { maxTokens: 10 } });
  expect(bench.model.calls).toEqual([]);
  expect(reply.outcome).toBe('answered');
  expect(reply.claims.map(({ code }) => code)).toContain('same-words');
  const told = reply.diagnostics.warnings.filter(({ code }) => code === 'budget');
  expect(told.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/no room to ask a model for .*write.*; it was done by quoting instead/),
  );
});

it('a model of which nothing can be used has an answer in the words of the passages', async () => {
  bench.model = createScriptedEngine({
    ...good,
    answer: () => {
      throw ApplicationFailure.nonRetryable('It is no JSON.', 'StepFailedError');
    },
  });
  const reply = await bench.ask('unusable', asked);
  expect(reply.outcome).toBe('answered');
  expect(reply.claims.map(({ code }) => code)).toContain('same-words');
  const told = reply.diagnostics.warnings.filter(({ code }) => code === 'model-unusable');
  expect(told.at(-1)?.message).toMatch(/write.*could not be used; it was done by quoting instead/);
});

it('an activity that fails for good leaves a fallback', async () => {
  bench.model = createScriptedEngine({
    ...good,
    answer: () => {
      throw ApplicationFailure.nonRetryable('this is out of order.');
    },
  });
  const reply = await bench.ask('out-of-order', asked);
  expect(reply).toMatchObject({
    outcome: 'fallback',
    confidence: 0,
    diagnostics: { failure: 'this is out of order' },
  });
});

it('a request that is paused waits, and has its reply when it is resumed', async () => {
  bench.model = createScriptedEngine(good);
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
