import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { replyQuery, replyUpdate } from '../../../src/workflows/answer-request';
import {
  BY_MODEL,
  idOf,
  INVENTED_CLAIM,
  OBSERVATIONS,
  says,
  textOf,
  TRUE_CLAIM,
} from '../../support/answer-script';
import { forAllTests } from '../../support/for-all-tests';
import { until } from '../../support/until';
import { openAnswerBench } from './answer-bench';

const bench = forAllTests(openAnswerBench);

describe('the reply', () => {
  const QUESTION = 'What does DAIL-SQL use?';
  const ASKED = { question: QUESTION, observations: OBSERVATIONS };

  describe('a caller that starts and waits in one call', () => {
    it('is told a reply whose claims stand in what was given, word for word', async () => {
      const reply = await bench.ask('one', ASKED);
      expect(reply.outcome).toBe('answered');
      expect(reply.claims.map(({ verdict, code }) => ({ verdict, code }))).toContainEqual({
        verdict: 'supported',
        code: 'same-words',
      });
      for (const { text } of reply.citations) expect(OBSERVATIONS).toContain(text);
      for (const { text, start, end } of reply.claims) expect(reply.answer.slice(start, end)).toBe(text);
      expect(reply).toMatchObject({ requestId: 'one', evidenceConfidence: 0.8, tokensUsed: 0 });
      expect(reply.trace.map(({ node }) => node)).toEqual([
        'retriever',
        'synthesizer',
        'critic',
        'supervisor',
      ]);
      // Its log tells the attempt, its text and its audit, and ends with the reply.
      const told = (await bench.eventsOf('one')).map(({ type }) => type);
      expect(told.filter((type) => type !== 'content-chunk').join(' ')).toBe(
        'run-started multi-pass-phase section-written audit attempt run-completed',
      );
    });

    it('is told the same reply as another that asks under its id meanwhile', async () => {
      const [first, second] = await Promise.all([bench.ask('twice', ASKED), bench.ask('twice', ASKED)]);
      expect(second).toEqual(first);
      expect(await bench.activitiesOf('twice')).toMatchObject({ writeAnswer: 1, concludeAnswer: 1 });
    });
  });

  describe('what a reply rests on', () => {
    it('is nothing: the reply says what is missing, and invents nothing', async () => {
      const reply = await bench.ask('nothing', { question: QUESTION });
      const none = { confidence: 0, evidenceConfidence: 0, claims: [] };
      expect(reply).toMatchObject({ outcome: 'insufficient', ...none });
      expect(reply.answer).toContain(QUESTION);
      const begun = Object.keys(await bench.activitiesOf('nothing')).sort();
      expect(begun).toEqual(['admitAnswer', 'concludeAnswer', 'recordEvents']);
    });
  });

  describe('before and beside the reply', () => {
    it('is a query that gives null before it is there, and the reply after', async () => {
      const run = await bench.start('asked-later', ASKED);
      expect([null, 'asked-later']).toContain((await run.query(replyQuery))?.requestId ?? null);
      const outcome = await run.result();
      const reply = await run.query(replyQuery);
      expect(reply).toMatchObject({ requestId: 'asked-later', outcome: 'answered' });
      const kept = await bench.stores.content.retrieve(outcome.reportRef);
      expect(JSON.parse(kept ?? '')).toEqual(reply);
      expect(await bench.stores.content.retrieve(outcome.markdownRef)).toBe(reply?.answer);
    });
  });

  describe('what cannot be asked', () => {
    it.each([
      ...(
        [
          ['a list of sources', 'manifestRef', { sourceCount: 1 }],
          ['a history', 'historyRef', {}],
          ['a final output', 'finalOutputRef', {}],
        ] as const
      ).map(
        ([what, field, more]) =>
          [
            `${what} that is not there`,
            { question: QUESTION, [field]: 'a'.repeat(64), ...more },
            new RegExp(`${field} is a+, which is not in this worker's content store`),
          ] as const,
      ),
    ] as const)('is told to who waits: %s', async (name, question, told) => {
      const asked = bench.ask(`refused: ${name}`, question as never);
      await expect(asked).rejects.toMatchObject({
        cause: { type: 'InvalidInput', message: expect.stringMatching(told) as string },
      });
    });
  });
});

describe('ends', () => {
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

    it('leaves the text of an attempt before it went away', async () => {
      bench.play({
        ...good,
        answer: (input: never) =>
          textOf([
            [TRUE_CLAIM, idOf(input, 'example-based')],
            [INVENTED_CLAIM, idOf(input, 'Spider')],
          ]),
        'mend-text': away,
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
    [
      'a model of which nothing can be used',
      ApplicationFailure.nonRetryable('It is no JSON.', 'StepFailedError'),
      {},
      'model-unusable',
      /gave no usable/,
    ],
  ])('%s has an answer in the words of the passages', async (name, failure, budget, code, reason) => {
    bench.play(good, { failing: (step) => (step === 'answer' ? failure : null) });
    const reply = await bench.ask(name, { ...asked, budget });
    expect(reply.outcome).toBe('answered');
    expect(reply.claims.map(({ verdict }) => verdict)).toContain('supported');
    expect(reply.answer).toContain(TRUE_CLAIM.replace(/\.$/, ''));
    const told = reply.diagnostics.warnings.filter((warning) => warning.code === code);
    expect(told.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/write.*It was done by quoting instead/),
    );
    expect(told.map(({ message }) => message).join()).toMatch(reason);
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
});
