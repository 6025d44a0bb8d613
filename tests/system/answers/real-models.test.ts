import { WithStartWorkflowOperation } from '@temporalio/client';
import type { Answer } from '../../../src/contracts/answer/answer';
import type { answer } from '../../../src/workflows/answer/answer';
import { replyUpdate } from '../../../src/workflows/answer/messages';
import { INVENTED_CLAIM, OBSERVATIONS, TRUE_CLAIM } from '../../support/answer-script';
import { openModelBench, type ModelBench } from '../model-runs/model-bench';
import type { Question } from './answer-bench';
import { inventingModel, isWriting, toldWhatIsWrong } from './inventing-model';

const model = (name: string): { name: string; contextTokens: number; price: null } => ({
  name,
  contextTokens: 128_000,
  price: null,
});
const ASKED: Question = {
  question: 'What does DAIL-SQL use, and how accurate is it?',
  observations: OBSERVATIONS,
  engine: 'openai',
  models: { fast: model('small'), strong: model('large'), critic: model('large') },
};

let bench: ModelBench;
beforeAll(async () => {
  bench = await openModelBench();
});
afterEach(() => bench.rest());
afterAll(() => bench.close());

function ask(requestId: string, question: Question): Promise<Answer> {
  return bench.client.workflow.executeUpdateWithStart(replyUpdate, {
    startWorkflowOperation: new WithStartWorkflowOperation<typeof answer>('answer', {
      workflowId: requestId,
      taskQueue: 'colligate',
      args: [question],
      workflowIdConflictPolicy: 'FAIL',
    }),
  });
}

it('a model that invents is told so over the wire, and obeys: nothing invented stands', async () => {
  const { server } = await bench.serve(inventingModel({ obeys: true }));
  const reply = await ask('obeys', ASKED);
  expect(reply).toMatchObject({ outcome: 'answered', setAside: [], diagnostics: { attempts: 2 } });
  expect(reply.answer).not.toContain('99.1');
  expect(reply.answer).not.toContain('left out');
  const writings = server.asked.filter(isWriting);
  expect(writings.map(toldWhatIsWrong)).toEqual([false, true]);
  expect(JSON.stringify(writings[1]?.body)).toContain(INVENTED_CLAIM.replace(/\.$/, ''));
});

it('a model that never obeys is asked three times, and the reply says what is unsupported, and why', async () => {
  const { server } = await bench.serve(inventingModel({ obeys: false }));
  const reply = await ask('never', ASKED);
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
  // What an audit reads is numbered for the audit alone: a caller is told of sources.
  const criticised = reply.diagnostics.critique?.conflictingEvidence[0];
  expect(criticised?.sourceIds).toEqual(reply.setAside[0]?.sourceIds);
});
