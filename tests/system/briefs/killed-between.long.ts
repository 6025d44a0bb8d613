import { Brief } from '../../../src/contracts/brief';
import { modelChoices } from '../../../src/contracts/settings';
import { briefModel } from '../../model-server/brief-model';
import { messagesOf } from '../../model-server/good-model';
import { type ModelServer, startModelServer } from '../../model-server/model-server';
import type { Hold } from '../../support/kills/hold';
import { type KillBench, openKillBench, SHORT_HEARTBEATS } from '../../support/kills/kill-bench';
import { QUESTION, SUBTOPICS } from './brief-bench';

let bench: KillBench;
let server: ModelServer;

beforeAll(async () => {
  bench = await openKillBench();
  server = await startModelServer(
    briefModel({
      mend: (sentence) => `In short, ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`,
      judge: (text) =>
        text.includes('In short') ? { score: 5, parts: [] } : { score: 2, parts: ['subtopic-2'] },
    }),
  );
  await bench.useModels(server);
});
afterAll(async () => {
  await bench.close();
  await server.close();
});

it('a worker killed between judge and revision costs no version, and no call is asked twice', async () => {
  const { openai, temporal } = bench.config();
  const input = {
    question: QUESTION,
    subtopics: SUBTOPICS,
    engine: 'openai',
    models: modelChoices(openai),
    outages: SHORT_HEARTBEATS,
  };
  const handle = await bench.client.workflow.start('brief', {
    workflowId: 'killed',
    taskQueue: temporal.taskQueue,
    args: [input],
  });
  const judged: Hold = { runId: 'killed', at: 'recorded', event: 'judge' };
  const worker = await bench.startHoldingWorker([judged]);
  await worker.holds(judged);
  await worker.kill();
  await bench.startWorker();
  const { reportRef } = (await handle.result()) as { reportRef: string };
  const { content, events } = bench.stores;
  const brief = Brief.parse(JSON.parse((await content.retrieve(reportRef)) ?? 'null'));
  expect(brief.judge).toMatchObject({ version: 2, passed: true });
  expect(brief.judge?.versions.map(({ n, revised }) => [n, revised])).toEqual([
    [1, []],
    [2, ['subtopic-2']],
  ]);
  const first = await content.retrieve(brief.judge?.versions[0]?.markdownRef ?? '');
  expect(first).toContain('### Caffeine');
  expect(first).not.toContain('In short');
  expect(brief.markdown).toContain('In short');
  expect((await events.read('killed')).filter(({ type }) => type === 'judge')).toHaveLength(2);
  const asked = server.asked.map((request) => messagesOf(request).join('\n'));
  expect(new Set(asked).size).toBe(asked.length);
});
