import type { Context } from '@temporalio/activity';
import { startHeartbeat } from '../../../src/activities/shared/heartbeat';
import { createPulse } from '../../../src/activities/shared/pulse';
import { until } from '../../support/until';

it('beats while the activity goes on, says what it is at, and ends when it is told to', async () => {
  const beats: unknown[] = [];
  const context = {
    info: { heartbeatTimeoutMs: 40 },
    heartbeat: (beat: unknown) => void beats.push(beat),
  } as unknown as Context; // as much of one as it uses
  const pulse = createPulse();
  const stop = startHeartbeat(context, pulse);
  await pulse.during('reading', () =>
    until(
      async () => beats.length,
      (count) => count > 1,
    ),
  );
  stop();
  expect(beats[0]).toMatchObject({ doing: 'reading', done: 0 });
  const told = beats.length;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(beats).toHaveLength(told);
});
