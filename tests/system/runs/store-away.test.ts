import { StoreWriteError } from '../../../src/stores/errors/store-write-error';
import type { Stores } from '../../../src/stores/stores';
import { enginesThatFollow } from '../../support/scripted-engine';
import { comparable } from '../durability/run-log';
import { BY_MODEL, PATIENT, scripted, seen, undisturbedRun } from './outage-runs';
import { reportOf, useScriptedRuns } from './scripted-runs';

const runs = useScriptedRuns();
let undisturbed: unknown;
beforeAll(async () => {
  undisturbed = await undisturbedRun(runs);
});

describe('a store that does not answer', () => {
  it('is waited for, in every pass and at the end', async () => {
    runs.engine = scripted();
    let isAway = false;
    const away = (): void => {
      if (isAway) throw new StoreWriteError('the store', new Error('No space left on device'));
    };
    const { content, events } = runs.bench.stores;
    const stores: Stores = {
      ...runs.bench.stores,
      content: {
        ...content,
        store: async (...given) => (away(), content.store(...given)),
        storeBatch: async (...given) => (away(), content.storeBatch(...given)),
      },
      events: { ...events, appendOnce: async (...given) => (away(), events.appendOnce(...given)) },
    };
    await runs.stopWorker();
    const other = await runs.bench.startWorker(
      enginesThatFollow(() => runs.engine),
      undefined,
      { stores },
    );
    try {
      isAway = true;
      const run = await runs.bench.startRun('store-away', { ...BY_MODEL, outages: PATIENT });
      const first = await seen(run, ({ status }) => status === 'waiting');
      expect(first).toMatchObject({ waiting: { what: 'the store' }, pass: { name: 'gather' } });
      const writing = runs.engine.hold('write-summary');
      isAway = false;
      await writing.reached;
      isAway = true;
      writing.release();
      await seen(run, ({ status, pass }) => status === 'waiting' && pass.name === 'report');
      isAway = false;
      expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
      expect(comparable(await reportOf(run))).toEqual(undisturbed);
    } finally {
      await other.drain();
      await runs.startWorker();
    }
  });
});
