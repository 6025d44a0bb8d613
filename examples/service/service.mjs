// A service that has a report written, steers it while it goes on, and takes it: with nothing but the package.
//
//   node service.mjs QUESTION SOURCES FURTHER
//
// SOURCES and FURTHER are a file or a folder each. A server and a worker run already (`colligate dev`).
import { openColligate } from 'colligate';

const [question, sources, further] = process.argv.slice(2);
if (further === undefined) throw new Error('Give a question, sources, and further sources.');

const colligate = await openColligate();
try {
  const { run } = await colligate.startReport({
    question,
    sources: { paths: [sources] },
    approval: { timeoutMs: 60 * 60 * 1000 },
  });
  console.error(`run ${run.runId}`);

  // Each message has an id of its own: whoever does not know whether it arrived sends it again, and it is applied once.
  for await (const event of run.events()) {
    if (event.type === 'steered') console.error(`${event.payload.message}: ${event.payload.said}`);
    if (event.type !== 'approval-awaited') continue;
    const outline = await run.outline();
    for (const { title } of outline?.sections ?? []) console.error(`section: ${title}`);
    await run.addSources({ paths: [further] }, { id: 'further-sources' });
    await run.approveOutline({ id: 'approved' });
  }

  const { status, message } = await run.waitUntilClosed();
  const stored = await run.report();
  if (stored === null) throw new Error(`The run is ${status} and left no report. ${message ?? ''}`);
  console.log(stored.markdown);
} finally {
  await colligate.close();
}
