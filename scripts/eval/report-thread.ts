import { parentPort, workerData } from 'node:worker_threads';
import type { AskedQuestion } from './answering';
import { judgeReport } from './judged-report';
import { openReportRunner } from './report-runner';
import type { FromThread } from './suites/collection';

// Makes the reports on its share of the questions, in a thread of its own with stores of its own.

// Whoever starts the thread gives it these.
const { sourcesFile, records } = workerData as { sourcesFile: string; records: AskedQuestion[] };
const tell = (told: FromThread): void => parentPort?.postMessage(told);

async function makeReports(): Promise<void> {
  const runner = await openReportRunner(sourcesFile);
  for (const [at, record] of records.entries()) {
    try {
      const report = await runner.report(`question-${at}`, record.question);
      tell({ id: record.id, judged: judgeReport(record, report) });
    } catch (error) {
      // The run would have gone on with less; here it counts as a report that says nothing.
      const judged = judgeReport(record, { claims: [], citations: [] });
      tell({ id: record.id, judged, failure: (error as Error).message.replace(/\s+/g, ' ') });
    }
  }
  tell({ times: [...runner.times] });
  await runner.close();
}

void makeReports();
