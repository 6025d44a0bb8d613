// A report with nothing but Temporal's own client; docs/interface.md says what is sent and answered, and has it in Python.
//   colligate import examples/vitamin-d      stores the sources, and prints MANIFEST and COUNT
//   node examples/client/client.mjs MANIFEST COUNT "Does vitamin D help?" > report.md
// The files that are named below are its schemas, in src/contracts/schemas.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';

const [manifestRef, sourceCount, question] = process.argv.slice(2);
const { TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, COLLIGATE_TASK_QUEUE: taskQueue = 'colligate' } = process.env;
const connection = await Connection.connect({ address: TEMPORAL_ADDRESS ?? 'localhost:7233' });
const { workflow } = new Client({ connection, namespace: TEMPORAL_NAMESPACE ?? 'default' });

/** A stored text, which comes in parts: content-start.json, content-part.json. */
async function textOf(ref) {
  let text = '';
  for (let from = 0; from !== null;) {
    const part = { taskQueue, workflowId: `content-${randomUUID()}`, args: [{ ref, from }] };
    const { text: more, next } = await workflow.execute('content', part);
    text += more;
    from = next;
  }
  return text;
}

// report-start.json
const args = [{ question, manifestRef, sourceCount: Number(sourceCount) }];
const run = await workflow.start('report', { taskQueue, workflowId: `client-${randomUUID()}`, args });

// What is under way finishes before a run is paused; progress.json says how far it is.
await run.signal('pause');
console.error(`${run.workflowId} is ${(await run.query('progress')).status}`);
await run.signal('resume');

let outcome;
const closed = run.result().then((result) => (outcome = result));
for (let told = ''; outcome === undefined; await Promise.race([closed, sleep(500)])) {
  const { pass, percent } = await run.query('progress');
  if (pass.message !== told) console.error(`${percent} % ${(told = pass.message)}`);
}

// run-outcome.json, report.json
const { claims } = JSON.parse(await textOf(outcome.reportRef));
console.error(`${outcome.status}, with ${claims.length} claims`);
process.stdout.write(await textOf(outcome.markdownRef));
await connection.close();
