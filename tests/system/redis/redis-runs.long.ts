import type { RunHandle } from '../../../src/client';
import type { RunEventType } from '../../../src/contracts/run/event';
import type { OutageSettings } from '../../../src/contracts/run/outages';
import { createExtractiveEngine } from '../../../src/engines/extractive/engine';
import type { Stores } from '../../../src/stores/stores';
import type { AfterAppend } from '../../support/after-append';
import { describeWithRedis, startRedisServer, type RedisServer } from '../../support/services/redis-server';
import { openRunBench, type RunBench } from '../../support/run-bench';
import { until } from '../../support/until';
import { prepareRedis } from '../../stores/redis/redis-under-test';
import type { StoresUnderTest } from '../../stores/stores-under-test';
import { NOTES } from '../../support/kills/material';
import {
  comparable,
  finishedRecord,
  keysOf,
  problemsOfLog,
  type RunRecord,
} from '../../support/kills/run-record';

/** The waits are short, and each activity is tried once. */
const PATIENT: OutageSettings = { firstWaitMs: 50, attempts: 1, patienceMs: 3_600_000, afterwards: 'park' };
const REQUEST = { question: NOTES.question, outages: PATIENT };

describeWithRedis('a report whose stores are on Redis', () => {
  let bench: RunBench;
  let server: RedisServer;
  let fixture: StoresUnderTest;
  let stores: Stores;
  let onLmdb: RunRecord;
  /** What is done as soon as an event of the run under way is in the log. */
  let look: AfterAppend = async () => undefined;
  const closings: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    bench = await openRunBench();
    closings.push(() => bench.close());
    const reference = await bench.startWorker({ extractive: createExtractiveEngine(bench) });
    const run = await bench.startRun('on-lmdb', REQUEST, { paths: NOTES.paths });
    onLmdb = await recordOf(run, bench.stores);
    await reference.drain();
    server = await startRedisServer();
    closings.push(() => server.stop());
    fixture = await prepareRedis(server.url);
    closings.push(() => fixture.dispose());
    stores = await fixture.connect();
    const worker = await bench.startWorker(
      { extractive: createExtractiveEngine(bench) },
      (...given) => look(...given),
      { stores },
    );
    closings.push(() => worker.drain());
  });
  afterEach(async () => {
    look = async () => undefined;
    await server.restart();
  });
  afterAll(async () => {
    for (const close of closings.reverse()) await close();
  });

  const recordOf = ({ runId }: RunHandle, kept: Stores): Promise<RunRecord> =>
    finishedRecord({ colligate: bench.colligateOn(kept), stores: kept }, runId);

  /** The same report, to the byte, and a log without a hole or a repeat. */
  function expectSame(record: RunRecord): void {
    expect(record.markdown).toBe(onLmdb.markdown);
    expect(comparable(record)).toEqual(comparable(onLmdb));
    expect(problemsOfLog(record)).toEqual([]);
    const events = record.events.filter(({ type }) => type !== 'run-waiting' && type !== 'run-goes-on');
    expect(keysOf({ events })).toEqual(keysOf(onLmdb));
  }

  /** Resolves once, when the run's first event of a type is in the log; what wrote it goes on only after `act`. */
  function atFirst(runId: string, type: RunEventType, act: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      let isDone = false;
      look = async (of, event) => {
        if (isDone || of !== runId || event.type !== type) return;
        isDone = true;
        await act().then(resolve, reject);
      };
    });
  }

  it('is the one that lmdb has', async () => {
    expectSame(await recordOf(await bench.startRun('calm', REQUEST, { stores, paths: NOTES.paths }), stores));
  });

  it('waits where Redis is full, says so, and is the same once there is room', async () => {
    const filled = atFirst('filled', 'outline-generated', () => server.configure('maxmemory', '1mb'));
    const run = await bench.startRun('filled', REQUEST, { stores, paths: NOTES.paths });
    await filled;
    const waiting = await until(
      () => run.progress(),
      ({ status }) => status === 'waiting',
    );
    expect(JSON.stringify(waiting)).toContain('Redis has reached its maxmemory');
    await server.configure('maxmemory', '0');
    expectSame(await recordOf(run, stores));
  });
});
