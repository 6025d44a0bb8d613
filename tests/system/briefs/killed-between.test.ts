import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from '../../../src/config/config';
import { modelChoices } from '../../../src/config/model-choices';
import { Brief } from '../../../src/contracts/brief/brief';
import { connectClient } from '../../../src/temporal/connect';
import { briefModel } from '../../model-server/brief-model';
import { messagesOf } from '../../model-server/good-model';
import { startModelServer, type ModelServer } from '../../model-server/model-server';
import { openDurabilityBench, SHORT_HEARTBEATS, type DurabilityBench } from '../durability/durability-bench';
import { killedAfter } from '../model-runs/killed-after';
import { QUESTION, SUBTOPICS } from './brief-bench';

let bench: DurabilityBench;
let server: ModelServer;

beforeAll(async () => {
  bench = await openDurabilityBench();
  server = await startModelServer(
    briefModel({
      brief: (text) => text.replace(/## Caffeine[^]*?(?=## )/, ''),
      judge: (text) =>
        text.includes('[subtopic-2]') ? { score: 5, parts: [] } : { score: 2, parts: ['subtopic-2'] },
    }),
  );
});
afterAll(async () => {
  await bench.close();
  await server.close();
});

it('a worker killed between judge and revision costs no version, and no call is asked twice', async () => {
  const settings = { baseUrl: server.baseUrl, models: { fast: 'small', strong: 'large' } };
  await writeFile(join(bench.folder, 'colligate.config.json'), JSON.stringify({ openai: settings }));
  const { openai, temporal } = loadConfig({ cwd: bench.folder, env: {} });
  const { connection, client } = await connectClient({ ...temporal, address: bench.server.address });
  try {
    const input = {
      question: QUESTION,
      subtopics: SUBTOPICS,
      engine: 'openai',
      models: modelChoices(openai),
      outages: SHORT_HEARTBEATS,
    };
    const started = client.workflow.start('brief', {
      workflowId: 'killed',
      taskQueue: temporal.taskQueue,
      args: [input],
    });
    const handle = await started;
    await killedAfter(bench, { runId: 'killed', at: 'after a judgement' });
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
    expect(first).toContain('### Exercise');
    expect(first).not.toContain('### Caffeine');
    expect(brief.markdown).toContain('### Caffeine');
    const judged = (await events.read('killed')).filter(({ type }) => type === 'judge');
    expect(judged).toHaveLength(2);
    const asked = server.asked.map((request) => messagesOf(request).join('\n'));
    expect(new Set(asked).size).toBe(asked.length);
  } finally {
    await connection.close();
  }
});
