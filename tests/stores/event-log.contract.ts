import fc from 'fast-check';
import type { RunEvent, RunEventBody } from '../../src/contracts/event';
import type { EventLog } from '../../src/stores/event-log';
import { failed, warning } from '../support/run-events';
import { anyText, IDS_OF_ANYBODY } from './made-texts';
import { type PrepareStores, useStores } from './stores-under-test';

// One suite, because every event log has to keep all of it: each adapter's test runs it whole.

const REF = 'a'.repeat(64);
const COMPLETED: RunEventBody = {
  type: 'run-completed',
  payload: { status: 'completed', reportRef: REF, markdownRef: REF },
};
const FAILED = failed('no source could be read');

function chunk(section: string, generation: number, text: string): RunEventBody {
  return { type: 'content-chunk', payload: { section, generation, offset: 0, text } };
}

function restarted(section: string, generation: number): RunEventBody {
  return { type: 'section-restarted', payload: { section, generation } };
}

async function collect(events: AsyncIterable<RunEvent>, each?: (event: RunEvent) => void): Promise<string[]> {
  const keys: string[] = [];
  for await (const event of events) {
    keys.push(event.key);
    each?.(event);
  }
  return keys;
}

export function eventLogContract(name: string, prepare: PrepareStores): void {
  describe(`event log on ${name}`, () => {
    const { fixture, stores } = useStores(prepare, { now: () => Date.UTC(2024, 0, 2, 3, 4, 5) });
    const append: EventLog['appendOnce'] = (...given) => stores.events.appendOnce(...given);

    it('numbers the events of each run from 1 and gives them back in order', async () => {
      expect(await append('run', 'first', warning('one'))).toBe(1);
      expect(await append('run', 'second', warning('two'))).toBe(2);
      expect(await append('run-2', 'first', warning('elsewhere'))).toBe(1);
      expect(await stores.events.read('run')).toEqual([
        { runId: 'run', number: 1, key: 'first', at: '2024-01-02T03:04:05.000Z', ...warning('one') },
        { runId: 'run', number: 2, key: 'second', at: '2024-01-02T03:04:05.000Z', ...warning('two') },
      ]);
      expect(await stores.events.read('none')).toEqual([]);
    });

    it('appends what is called at once in the order of the calls, without what is refused', async () => {
      await append('run', 'second generation', restarted('text', 2));
      const appended = await Promise.allSettled([
        append('run', 'one', warning('one')),
        append('run', 'stale', chunk('text', 1, 'of an older generation')),
        append('run', 'one', warning('one again')),
        append('run', 'two', chunk('text', 2, 'of the newest')),
        stores.content.store('run', 'a text'),
      ]);
      expect(appended.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []))).toEqual([1]);
      expect(appended[2]).toMatchObject({ value: 2 });
      const keys = (await stores.events.read('run')).map(({ key }) => key);
      expect(keys).toEqual(['second generation', 'one', 'two']);
    });

    it('reads a part: after a number, at most so many', async () => {
      for (let i = 1; i <= 12; i += 1) await append('run', `event ${i}`, warning(`${i}`));
      const numbers = async (options: { after?: number; limit?: number }) =>
        (await stores.events.read('run', options)).map((event) => event.number);
      expect(await numbers({ after: 9 })).toEqual([10, 11, 12]);
      expect(await numbers({ limit: 2 })).toEqual([1, 2]);
      expect(await numbers({ after: 4, limit: 3 })).toEqual([5, 6, 7]);
      expect(await numbers({ after: 12 })).toEqual([]);
    });

    it('gives a repeated key its number and changes nothing', async () => {
      const other = await fixture.connect();
      await append('run', 'first', warning('one'));
      await append('run', 'second', warning('two'));
      expect(await other.events.appendOnce('run', 'first', warning('changed'))).toBe(1);
      expect(await stores.events.read('run')).toMatchObject([warning('one'), warning('two')]);
    });

    it.each([COMPLETED, FAILED])(
      'closes with $type: new keys are refused, repeated ones still have a number',
      async (end) => {
        await append('run', 'first', warning('one'));
        expect(await append('run', 'end', end)).toBe(2);
        await expect(append('run', 'late', warning('late'))).rejects.toMatchObject({
          name: 'EventLogClosedError',
          runId: 'run',
          key: 'late',
        });
        expect(await append('run', 'end', end)).toBe(2);
        expect(await append('run', 'first', warning('one'))).toBe(1);
        expect(await stores.events.read('run')).toHaveLength(2);
      },
    );

    it('refuses what a writer of an older generation of a section adds', async () => {
      await append('run', 's1/0/0', chunk('section-1', 0, 'first try'));
      await append('run', 's1/1', restarted('section-1', 1));
      const of = { section: 'section-1', generation: 0, newestGeneration: 1 };
      const stale = { name: 'StaleGenerationError', ...of };
      await expect(append('run', 's1/0/1', chunk('section-1', 0, 'late'))).rejects.toMatchObject(stale);
      await expect(append('run', 's1/0', restarted('section-1', 0))).rejects.toMatchObject(stale);
      expect(await append('run', 's1/0/0', chunk('section-1', 0, 'first try'))).toBe(1);
      expect(await append('run', 's1/1/0', chunk('section-1', 1, 'again'))).toBe(3);
      expect(await append('run', 's2/0/0', chunk('section-2', 0, 'another section'))).toBe(4);
      expect(await append('run-2', 's1/0/0', chunk('section-1', 0, 'another run'))).toBe(1);
    });

    it('takes a chunk of a newer generation as its announcement', async () => {
      await append('run', 's1/2/0', chunk('section-1', 2, 'newer'));
      await expect(append('run', 's1/1/0', chunk('section-1', 1, 'older'))).rejects.toThrow(
        'Generation 1 of section section-1 in run run is out of date: generation 2 has begun.',
      );
    });

    it('refuses an event that does not fit its schema, and says where', async () => {
      // What comes from JavaScript or from another version may have any shape.
      const payload = { total: 'many', coverage: 1 };
      const wrong = { type: 'citation-stats', payload } as unknown as RunEventBody;
      await expect(append('run', 'wrong', wrong)).rejects.toMatchObject({
        name: 'InvalidEventError',
        message: expect.stringContaining('payload.total'),
      });
      const unknown = { type: 'unheard-of', payload: {} } as unknown as RunEventBody;
      await expect(append('run', 'wrong', unknown)).rejects.toThrow('does not fit its schema');
      expect(await stores.events.read('run')).toEqual([]);
      expect(await append('run', 'wrong', warning('right'))).toBe(1);
    });

    it('keeps any key and any text, however long, and tells all keys apart', async () => {
      let round = 0;
      const pairs = fc.uniqueArray(fc.tuple(fc.oneof(anyText(), fc.constant('k'.repeat(5_000))), anyText()), {
        selector: ([key]) => key,
        minLength: 1,
        maxLength: 10,
      });
      await fc.assert(
        fc.asyncProperty(pairs, async (given) => {
          const runId = `run-${(round += 1)}`;
          for (const [key, text] of given) await append(runId, key, chunk(key, 0, text));
          const events = await stores.events.read(runId);
          expect(events.map(({ key, payload }) => [key, payload])).toEqual(
            given.map(([key, text]) => [key, chunk(key, 0, text).payload]),
          );
        }),
        { seed: 3, numRuns: 50 },
      );
    });

    it('numbers as a model does, after any sequence of appends', async () => {
      let round = 0;
      const command = fc.record({
        key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
        closes: fc.nat({ max: 9 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(command, { maxLength: 15 }), async (commands) => {
          const runId = `run-${(round += 1)}`;
          const model: string[] = [];
          let isClosed = false;
          for (const { key, closes } of commands) {
            const appended = append(runId, key, closes === 0 ? FAILED : warning(key));
            if (model.includes(key)) {
              expect(await appended).toBe(model.indexOf(key) + 1);
            } else if (isClosed) {
              await expect(appended).rejects.toThrow('is closed');
            } else {
              expect(await appended).toBe(model.push(key));
              isClosed = closes === 0;
            }
          }
          expect((await stores.events.read(runId)).map(({ key }) => key)).toEqual(model);
        }),
        { seed: 4, numRuns: 50 },
      );
    });

    it('numbers without holes what several connections append at once', async () => {
      const other = await fixture.connect();
      const appends = Array.from({ length: 400 }, (_, i) => ({
        key: `key ${i % 300}`,
        log: (i % 2 ? other : stores).events,
      }));
      const numbers = await Promise.all(
        appends.map(({ key, log }) => log.appendOnce('run', key, warning(key))),
      );
      const events = await stores.events.read('run');
      expect(events.map(({ number }) => number)).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
      expect(appends.map(({ key }) => events.find((event) => event.key === key)?.number)).toEqual(numbers);
    });

    it('lists the runs that have events, and forgets a cleared one', async () => {
      for (const run of ['run', 'run-2', 'run.3']) await append(run, 'first', restarted('section-1', 5));
      await append('run', 'end', FAILED);
      await stores.events.clearRun('run');
      expect([...(await stores.events.runs())].sort()).toEqual(['run-2', 'run.3']);
      expect(await stores.events.read('run')).toEqual([]);
      expect(await stores.events.read('run-2')).toHaveLength(1);
      expect(await append('run', 'first', chunk('section-1', 0, 'anew'))).toBe(1);
    });

    it('clears only the log that was looked at, where it is told which', async () => {
      expect(await stores.events.clearRun('run', { begunAt: null })).toBe(true);
      await append('run', 'first', warning('one'));
      expect(await stores.events.clearRun('run', { begunAt: null })).toBe(false);
      expect(await stores.events.clearRun('run', { begunAt: '2024-01-02T03:04:04.999Z' })).toBe(false);
      expect(await stores.events.read('run')).toHaveLength(1);
      expect(await stores.events.clearRun('run', { begunAt: '2024-01-02T03:04:05.000Z' })).toBe(true);
      expect(await stores.events.read('run')).toEqual([]);
    });

    it('follows what is there and what another connection adds, to the end', async () => {
      const other = await fixture.connect();
      await other.events.appendOnce('run', 'first', warning('1'));
      const following = collect(stores.events.follow('run'), (event) => {
        const next = { first: warning('2'), second: warning('3'), third: COMPLETED }[event.key];
        const key = { first: 'second', second: 'third', third: 'end' }[event.key];
        if (next !== undefined && key !== undefined) void other.events.appendOnce('run', key, next);
      });
      expect(await following).toEqual(['first', 'second', 'third', 'end']);
    });

    it('follows a run that has not begun', async () => {
      const following = collect(stores.events.follow('run'));
      await append('run', 'first', warning('1'));
      await append('run', 'end', FAILED);
      expect(await following).toEqual(['first', 'end']);
    });

    it('follows on from a number, and ends at once where nothing can come', async () => {
      for (const key of ['first', 'second', 'third']) await append('run', key, warning(key));
      await append('run', 'end', COMPLETED);
      expect(await collect(stores.events.follow('run', { after: 2 }))).toEqual(['third', 'end']);
      expect(await collect(stores.events.follow('run', { after: 4 }))).toEqual([]);
    });

    it('follows more events than one read takes', async () => {
      const keys = Array.from({ length: 520 }, (_, i) => `event ${i}`);
      for (const part of [keys.slice(0, 260), keys.slice(260)]) {
        await Promise.all(part.map((key) => append('run', key, warning(key))));
      }
      await append('run', 'end', FAILED);
      const followed = await collect(stores.events.follow('run'));
      expect(followed).toHaveLength(521);
      expect(new Set(followed)).toEqual(new Set([...keys, 'end']));
    });

    it('stops following on abort, also before it began', async () => {
      const abort = new AbortController();
      await append('run', 'first', warning('1'));
      const following = collect(stores.events.follow('run', { signal: abort.signal }), () => abort.abort());
      expect(await following).toEqual(['first']);
      expect(await collect(stores.events.follow('run', { signal: abort.signal }))).toEqual([]);
    });

    it('stops following while it waits, on abort', async () => {
      const abort = new AbortController();
      const events = stores.events.follow('run', { signal: abort.signal })[Symbol.asyncIterator]();
      const next = events.next();
      abort.abort();
      expect(await next).toEqual({ done: true, value: undefined });
    });

    it('stops following a run that is cleared', async () => {
      await append('run', 'first', warning('1'));
      const following = collect(stores.events.follow('run'), () => void stores.events.clearRun('run'));
      expect(await following).toEqual(['first']);
    });

    it('stops following when the store is closed', async () => {
      const other = await fixture.connect();
      await other.events.appendOnce('run', 'first', warning('1'));
      const following = collect(other.events.follow('run'), () => void other.close());
      expect(await following).toEqual(['first']);
    });

    it('refuses a run id that is none', async () => {
      await expect(append('', 'key', warning('1'))).rejects.toThrow(/at least one/);
      await expect(stores.events.read('x'.repeat(1_001))).rejects.toThrow(/at most 1,000/);
    });

    it('keeps the logs of runs apart whatever their ids are made of', async () => {
      for (const runId of IDS_OF_ANYBODY) await append(runId, 'first', warning(`of ${runId}`));
      expect(new Set(await stores.events.runs())).toEqual(new Set(IDS_OF_ANYBODY));
      for (const runId of IDS_OF_ANYBODY) {
        const events = await stores.events.read(runId);
        expect(events).toMatchObject([{ runId, number: 1, payload: { message: `of ${runId}` } }]);
      }
      await stores.events.clearRun('a');
      expect(new Set(await stores.events.runs())).toEqual(
        new Set(IDS_OF_ANYBODY.filter((runId) => runId !== 'a')),
      );
    });
  });
}
