import { INVENTED_CLAIM, OBSERVATIONS, TRUE_CLAIM } from '../../support/answer-script';
import { askAnswer } from '../../support/ask-answer';
import { forAllTests } from '../../support/for-all-tests';
import { openModelBench } from '../model-runs/model-bench';
import { ASKED, inventingModel, isWriting, toldWhatIsWrong } from './inventing-model';

const bench = forAllTests(openModelBench);
afterEach(() => bench.rest());

it('a model that invents is told so over the wire, and obeys: nothing invented stands', async () => {
  const { server } = await bench.serve(inventingModel({ obeys: true }));
  const reply = await askAnswer(bench, 'obeys', ASKED);
  expect(reply).toMatchObject({ outcome: 'answered', setAside: [], diagnostics: { attempts: 2 } });
  expect(reply.answer).not.toContain('99.1');
  expect(reply.answer).not.toContain('left out');
  const writings = server.asked.filter(isWriting);
  expect(writings.map(toldWhatIsWrong)).toEqual([false, true]);
  expect(JSON.stringify(writings[1]?.body)).toContain(INVENTED_CLAIM.replace(/\.$/, ''));
});

it('a model that never obeys is asked three times, and the reply says what is unsupported, and why', async () => {
  const { server } = await bench.serve(inventingModel({ obeys: false }));
  const reply = await askAnswer(bench, 'never', ASKED);
  expect(server.asked.filter(isWriting).map(toldWhatIsWrong)).toEqual([false, true, true]);
  expect(reply).toMatchObject({
    outcome: 'answered',
    confidenceMeaning: 'multiple sources; 1 of 2 claims did not stand and was left out',
    diagnostics: { attempts: 3, critique: { needsRetry: true } },
  });
  // At most 0.95, and what was left out weighs half.
  expect(reply.confidence).toBeLessThanOrEqual(0.71);
  expect(reply.confidence).toBeGreaterThan(0.3);
  const [stands, leftOut] = reply.answer.split('\n\n');
  expect(stands).toBe(`${TRUE_CLAIM.slice(0, -1)} [1].`);
  expect(leftOut).toBe('One statement was left out that the cited sources contradict.');
  expect(reply.setAside).toMatchObject([
    {
      text: INVENTED_CLAIM,
      verdict: 'contradicted',
      reason: 'It says “99.1 percent” where what it cites says “86.6 percent”.',
      action: 'left-out',
      evidence: { quote: OBSERVATIONS[1] },
      sourceIds: [expect.stringMatching(/^observation-2-/)],
    },
  ]);
  const decisions = reply.trace.flatMap((entry) => (entry.node === 'supervisor' ? [entry.decision] : []));
  expect(decisions).toEqual(['rewrite', 'rewrite', 'end']);
  expect(reply.claims.map(({ verdict }) => verdict)).toEqual(['supported']);
  // What an audit reads is numbered for the audit alone: a caller is told of sources.
  const criticised = reply.diagnostics.critique?.conflictingEvidence[0];
  expect(criticised?.sourceIds).toEqual(reply.setAside[0]?.sourceIds);
});
