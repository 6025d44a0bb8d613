import { createExtractiveEngine } from '../../../src/engines/extractive/engine';
import { createThreadPool } from '../../../src/threads/pool';
import { openRunBench, type RunBench } from '../../support/run-bench';
import { ask, OBSERVATIONS } from './answer-bench';

let bench: RunBench;
const threads = createThreadPool({ threads: 1 });
beforeAll(async () => {
  bench = await openRunBench();
}, 120_000);
afterAll(async () => { await bench.close(); await threads.close(); });
it('x', async () => {
  const worker = await bench.startWorker({ extractive: createExtractiveEngine({ threads }) });
  const reply = await ask(bench, 'q1', { question: 'What does DAIL-SQL use?', observations: OBSERVATIONS });
  console.log(JSON.stringify(reply, null, 1));
  const ms: number[] = [];
  for (let i = 0; i < 20; i += 1) { const t = Date.now(); await ask(bench, `r${i}`, { question: 'What does DAIL-SQL use?', observations: OBSERVATIONS }); ms.push(Date.now() - t); }
  console.log(ms.sort((a, b) => a - b).join(' '));
  await worker.drain();
}, 60_000);
