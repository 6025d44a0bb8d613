import type { RunEvent } from '../../src/contracts/run/event';
import { followEvents } from '../../src/stores/follow-events';

const CLOSING = { number: 1, type: 'run-completed' } as RunEvent; // as much of one as following looks at

it('lets everything else go on while the head of a log is seen and its events are not yet', async () => {
  let isThere = false;
  let reads = 0;
  const log = {
    head: () => ({ last: 1, isClosed: true }),
    async read() {
      reads += 1;
      if (reads > 1_000) throw new Error('nothing else had its turn');
      return isThere ? [CLOSING] : [];
    },
  };
  setTimeout(() => (isThere = true), 0);
  const seen: RunEvent[] = [];
  for await (const event of followEvents(log, 'ahead', 0, new AbortController().signal)) seen.push(event);
  expect(seen).toEqual([CLOSING]);
});
