import { writeHistory } from './history-file';
import { REPORT_SCRIPT } from './report-script';
import { openRunBench } from './run-bench';
import { createScriptedEngine, enginesThatFollow } from './scripted-engine';

export async function recordHistory(file: string): Promise<void> {
  const bench = await openRunBench();
  try {
    const engine = createScriptedEngine(REPORT_SCRIPT);
    const worker = await bench.startWorker(enginesThatFollow(() => engine));
    const model = { name: 'scripted', contextTokens: 16_000, price: null };
    const run = await bench.startRun('report', {
      engine: 'openai',
      models: { fast: model, strong: model, critic: model },
    });
    await run.waitUntilClosed();
    const history = await bench.client.workflow.getHandle('report').fetchHistory();
    writeHistory(file, history);
    await worker.drain();
  } finally {
    await bench.close();
  }
}
