import type { Payload } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time';
import * as workflows from '../../../src/workflows';
import { forAllTests } from '../../support/for-all-tests';
import { cases } from '../../support/long';
import { openRunBench } from '../../support/run-bench';
import { until } from '../../support/until';
import { doorsOf, inBulk, type Doors, type Ended } from './door-bench';
import { ENCRYPTED, LARGE, RUBBISH, sent } from './rubbish';
import { fieldStarts, fuzzedStarts, STARTS, type Start } from './starts';

// Whatever the bundle exports may be started by anybody, with anything.

const EXPORTED = Object.keys(workflows);
/** Each takes its part of the processor, and there is little of it. */
const AT_ONCE = 12;

const bench = forAllTests(openRunBench);
let doors: Doors;
/** Sources that no run has stored. */
let sources: { manifestRef: string; sourceCount: number };
/** It was tried before there was a worker, so that it is tried again with the arguments that it was given. */
const TRIED_AGAIN = 'tried again';

beforeAll(async () => {
  doors = doorsOf(bench);
  sources = await bench.stored('import');
  await doors.start('report', TRIED_AGAIN, forged(), {
    workflowRunTimeout: msToTs(5_000),
    retryPolicy: { initialInterval: msToTs(1_000), backoffCoefficient: 1 },
  });
  await until(
    async () => (await doors.started(TRIED_AGAIN)).attempt ?? 0,
    (attempt) => attempt > 1,
  );
  await bench.startWorker();
});
afterAll(() => doors.close());

/** A start with a state that is not the run's own. */
const forged = (): Payload[] => [sent({ question: 'x', ...sources }), sent({ version: 1, paused: true })];

/** Starts all of them, and gives those that did not end as they have to, with what became of them. */
async function openDoors(
  type: string,
  starts: readonly Start[],
  isRight: (ended: Ended) => boolean,
  atOnce = AT_ONCE,
): Promise<object[]> {
  const ends = await inBulk(starts, atOnce, async ({ name, args }, index) => {
    const id = `${type} ${expect.getState().currentTestName ?? ''} ${index}`.slice(0, 200);
    await doors.start(type, id, args);
    const ended = await doors.ended(id);
    if (ended.by === null) await doors.terminate(id);
    return { name, ...ended };
  });
  expect(ends).toHaveLength(starts.length);
  return ends.filter((ended) => !isRight(ended));
}

/** It failed for good at its first workflow task, with problems in words. */
function isRefused({ failedTask, by, type, message, activities }: Ended): boolean {
  return (
    failedTask === null &&
    by === 'failed' &&
    type === 'InvalidInput' &&
    activities.length === 0 &&
    /^The input is not that of .{20,20000}$/s.test(message)
  );
}

/** It was refused, or what was given was valid by chance, and it went on until it was looked at. */
function isInOrder(ended: Ended): boolean {
  return isRefused(ended) || (ended.failedTask === null && ended.by !== null && ended.activities.length > 0);
}

it('every workflow of the bundle is known here', () => {
  expect(Object.keys(STARTS).sort()).toEqual([...EXPORTED].sort());
  expect(RUBBISH.length).toBeGreaterThanOrEqual(50);
});

describe.each(EXPORTED)('the workflow %s', (type) => {
  const known = STARTS[type] ?? { schema: {}, valid: {} };
  const valid = sent(known.valid);

  it('names what is wrong with rubbish in its place', async () => {
    const starts = RUBBISH.map(({ name, payload }) => ({ name, args: [payload] }));
    expect(await openDoors(type, [...starts, { name: 'no argument', args: [] }], isRefused)).toEqual([]);
  });

  it('takes no second argument, and none behind it', async () => {
    const second = RUBBISH.map(({ name, payload }) => ({ name, args: [valid, payload] }));
    const five = { name: 'five', args: [valid, valid, sent(null), sent('x'), sent({})] };
    expect(await openDoors(type, [...second, five], isRefused)).toEqual([]);
  });

  it('names what is wrong with what is large', async () => {
    const starts = LARGE.flatMap(({ name, payload }): Start[] => [
      { name, args: [payload] },
      { name: `${name}, as the second`, args: [valid, payload] },
    ]);
    expect(await openDoors(type, starts, isRefused, 2)).toEqual([]);
  });

  it('ends in order with rubbish in any field, and with fuzzed starts', async () => {
    const starts = [...fieldStarts(known), ...fuzzedStarts(known, cases(40, 200))];
    expect(await openDoors(type, starts, isInOrder)).toEqual([]);
  });

  it('waits for a worker that has the key', async () => {
    const id = `${type} with a key that nobody has`;
    await doors.start(type, id, [ENCRYPTED.payload]);
    const { failedTask, by } = await doors.ended(id);
    expect([failedTask, by]).toEqual([
      expect.stringMatching(/is encrypted with the key "no-such-key"/),
      null,
    ]);
    await doors.terminate(id);
  });

  it('heeds nothing else that comes with a start', async () => {
    const unheeded = await inBulk(RUBBISH, AT_ONCE, async ({ name, payload }, index) => {
      const id = `${type} with more ${index}`;
      const fields = { question: payload, firing: payload, status: payload };
      await doors.start(type, id, [sent({})], {
        memo: { fields },
        header: { fields },
        lastCompletionResult: { payloads: [payload] },
        continuedFailure: { message: 'x', applicationFailureInfo: { details: { payloads: [payload] } } },
        userMetadata: { summary: payload, details: payload },
      });
      return { name, ...(await doors.ended(id)) };
    });
    expect(unheeded.filter((ended) => !isRefused(ended))).toEqual([]);
  });
});

describe('what a run has carried over', () => {
  it('is taken from the run itself alone', async () => {
    await doors.start('report', 'long', [
      sent({ question: 'Which habits help?', ...sources, continueAsNewAfterEvents: 10 }),
    ]);
    await bench.client.workflow.getHandle('long').result();
    const { input, firstExecutionRunId } = await doors.started('long');
    const carried = input?.payloads ?? [];
    expect(carried).toHaveLength(2);
    const state = JSON.parse(Buffer.from(carried[1]?.data ?? []).toString()) as { chainId?: string };
    expect(state.chainId).toBe(firstExecutionRunId);
    // As it is, without its mark, as an older release has written it, and a part of it.
    const { chainId: _mark, ...unmarked } = state;
    const starts = [
      state,
      unmarked,
      { ...unmarked, version: 99 },
      { version: 1 },
      { chainId: firstExecutionRunId },
    ].map((given, index): Start => ({ name: String(index), args: [carried[0] as Payload, sent(given)] }));
    expect(await openDoors('report', starts, isRefused)).toEqual([]);
    // Under the id of the run itself too.
    await doors.start('report', 'long', carried);
    expect(isRefused(await doors.ended('long'))).toBe(true);
  });

  it('is refused whenever cron fires', async () => {
    await doors.start('report', 'cron', forged(), { cronSchedule: '@every 1s' });
    const chain: Ended[] = [];
    let execution: string | undefined;
    while (chain.length < 3) {
      const ended = await doors.ended('cron', execution);
      chain.push(ended);
      execution = ended.next ?? undefined;
    }
    await doors.terminate('cron');
    expect(chain.filter((ended) => !isRefused(ended))).toEqual([]);
  });

  it('is refused where a start is tried again', async () => {
    const ended = await until(
      async () => bench.client.workflow.getHandle(TRIED_AGAIN).describe(),
      ({ status }) => status.name !== 'RUNNING',
    );
    expect(ended.status.name).toBe('FAILED');
    expect(isRefused(await doors.ended(TRIED_AGAIN))).toBe(true);
  });
});

describe('the name of a run', () => {
  it.each(['schedule:nightly:0123abcd', 'schedule:nightly:0123abcd:nightly-20260101'])(
    'is not that of what others keep: %s',
    async (id) => {
      const { events } = bench.stores;
      await events.appendOnce(id, 'theirs', {
        type: 'warning',
        payload: { code: 'theirs', message: 'stays' },
      });
      await doors.start('report', id, [sent({ question: 'Which habits help?', ...sources })]);
      const ended = await doors.ended(id);
      expect(isRefused(ended)).toBe(true);
      expect(ended.message).toContain(`its workflow id is "${id}"`);
      expect(await events.read(id)).toMatchObject([{ payload: { code: 'theirs' } }]);
    },
  );

  it('a firing keeps nothing under the name of another schedule', async () => {
    const given = { ...STARTS['scheduled']?.valid, keptAs: 'schedule:weekly:0123abcd' };
    await doors.start('scheduled', 'firing-of-nightly-2026', [sent(given)]);
    const ended = await doors.ended('firing-of-nightly-2026');
    expect(isRefused(ended)).toBe(true);
    expect(ended.message).toContain('allowed: a text that begins with "schedule:nightly:"');
  });
});
