// Makes the reports on its share of the questions, in a thread of its own with stores of its own.
import { parentPort, workerData } from 'node:worker_threads';
import { judgeReport } from './judge-report.mjs';
import { openRunner } from './open-runner.mjs';

const { sourcesFile, records } = workerData;
const runner = await openRunner(sourcesFile);
for (const [at, record] of records.entries()) {
  try {
    const report = await runner.report(`question-${at}`, record.question);
    parentPort.postMessage({ id: record.id, judged: judgeReport(record, report) });
  } catch (error) {
    // The run would have gone on with less; here it counts as a report that says nothing.
    const judged = judgeReport(record, { claims: [], citations: [] });
    parentPort.postMessage({ id: record.id, judged, failure: error.message.replace(/\s+/g, ' ') });
  }
}
parentPort.postMessage({ times: [...runner.times] });
await runner.close();
