import { Worker } from 'node:worker_threads';

const SAID_EVERY = 25;
const SCRIPT = new URL('./thread.mjs', import.meta.url);

/**
 * What was judged of each record's report, in their order, and the milliseconds of each activity. `failed` are the ids of those
 * whose report could not be made.
 */
export async function judgedInThreads(records, { sourcesFile, threads, say }) {
  const judged = new Map();
  const times = new Map();
  const failed = [];
  const take = ({ id, judged: of, failure, times: taken }) => {
    if (id !== undefined) judged.set(id, of);
    if (failure !== undefined) {
      failed.push(id);
      say(`${id}: ${failure}`);
    }
    for (const [name, ms] of taken ?? []) times.set(name, (times.get(name) ?? 0) + ms);
    const isRound = judged.size % SAID_EVERY === 0 || judged.size === records.length;
    if (id !== undefined && isRound) say(`${judged.size} of ${records.length} questions`);
  };
  // One thread takes every second question, the other the rest, so that both have their share of the long ones.
  const shares = Array.from({ length: Math.min(threads, records.length) }, (_, thread) =>
    records.filter((_record, at) => at % threads === thread),
  );
  await Promise.all(shares.map((own) => inThread({ sourcesFile, records: own }, take)));
  return { judged: records.flatMap(({ id }) => judged.get(id) ?? []), times, failed };
}

function inThread(workerData, take) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(SCRIPT, { workerData });
    worker.on('message', take);
    worker.on('error', reject);
    worker.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`A thread that makes reports ended with ${code}.`)),
    );
  });
}
