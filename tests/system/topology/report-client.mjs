// What another host does: starts a report from its own files and takes it, by the addresses in its environment. Prints it as JSON.
//   node report-client.mjs RUN-ID AS-OF QUESTION SOURCES
import { openColligate } from '../../../dist/client.js';

const [runId, asOf, question, sources] = process.argv.slice(2);
const colligate = await openColligate();
try {
  const { run } = await colligate.startReport({
    runId,
    asOf,
    question,
    sources: { paths: [sources] },
    engine: 'extractive',
    again: true,
  });
  const { status, message } = await run.waitUntilClosed();
  const stored = await run.report();
  if (stored === null) throw new Error(`The run is ${status} and left no report. ${message ?? ''}`);
  process.stdout.write(JSON.stringify(stored));
} finally {
  await colligate.close();
}
