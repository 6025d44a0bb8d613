import { StoreWriteError } from '../../../src/stores/store-errors';
import { reaches, seen } from '../../support/follow-run';
import { forAllTests } from '../../support/for-all-tests';
import { openOutageBench, PATIENT } from './outage-runs';

const bench = forAllTests(openOutageBench);

it('a store that does not answer is waited for, in every pass and at the end', async () => {
  let isAway = true;
  const away = (): void => {
    if (isAway) throw new StoreWriteError('the store', new Error('No space left on device'));
  };
  const { content, events } = bench.stores;
  await bench.rest();
  await bench.startWorker(undefined, undefined, {
    stores: {
      ...bench.stores,
      content: {
        ...content,
        store: async (...given) => (away(), content.store(...given)),
        storeBatch: async (...given) => (away(), content.storeBatch(...given)),
      },
      events: { ...events, appendOnce: async (...given) => (away(), events.appendOnce(...given)) },
    },
  });
  const run = await bench.start('store-away', PATIENT);
  expect(await reaches(run, 'waiting')).toMatchObject({
    waiting: { what: 'the store' },
    pass: { name: 'gather' },
  });
  const writing = bench.engine.hold('write-text');
  isAway = false;
  await writing.reached;
  isAway = true;
  writing.release();
  await seen(run, ({ status, pass }) => status === 'waiting' && pass.name === 'report');
  isAway = false;
  await bench.expectUndisturbed(run);
});
