import { WithStartWorkflowOperation } from '@temporalio/client';
import type { Answer } from '../../../src/contracts/answer';
import { modelChoices } from '../../../src/contracts/settings';
import type { answer } from '../../../src/workflows';
import { replyUpdate } from '../../../src/workflows/answer-request';
import { answers } from '../../model-server/behaviours';
import { messagesOf } from '../../model-server/good-model';
import { type ModelServer, type RecordedRequest, startModelServer } from '../../model-server/model-server';
import { type AskedStep, stepOfPrompt } from '../../model-server/prompt-material';
import { OBSERVATIONS, TRUE_CLAIM } from '../../support/answer-script';
import type { Hold } from '../../support/kills/hold';
import { type KillBench, openKillBench, SHORT_HEARTBEATS } from '../../support/kills/kill-bench';
import type { Question } from './answer-bench';

const QUESTION = 'What does DAIL-SQL use?';

let bench: KillBench;
let server: ModelServer;

beforeAll(async () => {
  bench = await openKillBench();
  server = await startModelServer((request) =>
    stepAsked(request) === 'audit-text'
      ? answers(JSON.stringify(AUDITED))
      : answers(`${TRUE_CLAIM.replace(/\.$/, '')} [1].`),
  );
  await bench.useModels(server);
});

afterAll(async () => {
  await bench.close();
  await server.close();
});

const AUDITED = {
  verdicts: [
    { sentence: 'T1', verdict: 'supported', severity: 'wording', quotes: [], calculation: '', reason: '' },
  ],
  notes: [],
};

function stepAsked(request: RecordedRequest): AskedStep {
  return stepOfPrompt(...messagesOf(request));
}

function ask(requestId: string, question: Question): Promise<Answer> {
  return bench.client.workflow.executeUpdateWithStart(replyUpdate, {
    startWorkflowOperation: new WithStartWorkflowOperation<typeof answer>('answer', {
      workflowId: requestId,
      taskQueue: bench.config().temporal.taskQueue,
      args: [{ outages: SHORT_HEARTBEATS, ...question }],
      workflowIdConflictPolicy: 'USE_EXISTING',
    }),
  });
}

it('asks a model nothing twice where the worker is killed behind its answer', async () => {
  const hold: Hold = { runId: 'killed-asking', at: 'after the cache write', request: 1 };
  const first = await bench.startHoldingWorker([hold]);
  const models = modelChoices(bench.config().openai);
  const before = server.asked.length;
  const question = { question: QUESTION, observations: OBSERVATIONS, engine: 'openai', models } as const;
  const waiting = ask('killed-asking', question);
  await first.holds(hold);
  await first.kill();
  const second = await bench.startWorker();
  const reply = await waiting;
  // The audit alone was not asked before.
  expect(reply).toMatchObject({ outcome: 'answered', usage: { calls: 1, cachedCalls: 1 } });
  expect(reply.answer).toContain('[1]');
  expect(server.asked.slice(before).map(stepAsked)).toEqual(['answer', 'audit-text']);
  await second.kill();
});
