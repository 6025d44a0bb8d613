import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { createConcurrencyLimit, ThreadStalledError } from '../../src/engines/thread-pool';
import type { GatheredSource } from '../../src/evidence/source-records';
import { BUILT } from '../support/build';
import { tableOf } from '../support/crowds/near-duplicates';
import { createTestThreads } from '../support/test-threads';

describe('cancelled tasks', () => {
  /** A pool of one thread, and a text that it reads for half a second, sentence by sentence. */
  const READS = `
const { createThreadPool } = require(${JSON.stringify(path.join(BUILT, 'engines/thread-pool.js'))});
const text = Array.from({ length: 300 }, (_, at) => 'Vitamin D lowered the risk of fractures in trial ' + at + ' of adults.');
const passages = [{ start: 0, end: 0, text: text.join(' '), headings: [] }];
const input = {
  question: 'Does vitamin D lower the risk of fractures?',
  sources: [{ sourceId: 'a', title: 'Trials', passages }],
};
const pool = createThreadPool({ threads: 1 });
`;

  function runsThrough(script: string): Promise<{ stdout: string }> {
    return promisify(execFile)(process.execPath, ['--eval', READS + script]);
  }

  test('a task can be cancelled at any moment, and its process continues', async () => {
    const { stdout } = await runsThrough(`
    (async () => {
      for (let after = 100; after <= 900; after += 200) {
        const controller = new AbortController();
        const task = pool.run('sources-answer', input, controller.signal).then(() => 'read', (error) => error.name);
        setTimeout(() => controller.abort(), after);
        console.log(await task);
      }
      await pool.close();
    })();
  `);
    const ends = stdout.trim().split('\n');
    expect(ends).toHaveLength(5);
    expect(ends).toContain('AbortError');
    expect(ends.every((end) => end === 'AbortError' || end === 'read')).toBe(true);
  });

  test('a process that exits while a thread computes keeps its exit code', async () => {
    await expect(
      runsThrough(`
        void pool.run('sources-answer', input);
        setTimeout(() => process.exit(42), 700);
      `),
    ).rejects.toMatchObject({ code: 42, signal: null });
  });
});

describe('the time of a task', () => {
  const LIMIT_MS = 4_000;

  function gathered(url: string): GatheredSource {
    return {
      entry: { id: 'a', url, title: 'A', contentRef: 'a'.repeat(64), contentChars: 1, summaryRef: null },
      summaryRef: 'a'.repeat(64),
      held: [],
      group: undefined,
      nearDuplicateOf: undefined,
    };
  }

  it('replaces a thread whose task exceeds its limit, and runs the next task', async () => {
    const pool = await createTestThreads({ threads: 1, taskLimitMs: LIMIT_MS });
    try {
      // Nothing ends the search for this pattern but the limit.
      const hanging = pool.run('catalogued', {
        sources: [gathered(`https://example.org/${'a'.repeat(60)}!`)],
        rules: [{ level: 'general', reason: 'a slow rule', path: '^/(a|aa)+$' }],
        asOf: '2026-01-01T00:00:00.000Z',
      });
      const behind = pool.run('near-duplicate-candidates', tableOf(['one text', 'one text']));
      await expect(hanging).rejects.toThrow(ThreadStalledError);
      expect([...(await behind).partners]).toEqual([0]);
    } finally {
      await pool.close();
    }
  });

  it('leaves no listener at the signal of an activity that runs many tasks', async () => {
    const pool = await createTestThreads();
    const warnings: Error[] = [];
    const warned = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warned);
    try {
      const { signal } = new AbortController();
      for (let task = 0; task < 15; task += 1)
        await pool.run('near-duplicate-candidates', tableOf(['a text']), signal);
      expect(warnings).toEqual([]);
    } finally {
      process.off('warning', warned);
      await pool.close();
    }
  });
});

describe('turns', () => {
  const never = new AbortController().signal;

  /** Work that goes on until it is told to end. */
  function openWork(
    name: string,
    begun: string[],
  ): { work: () => Promise<string>; end: (error?: Error) => void } {
    let end: (error?: Error) => void = () => undefined;
    const ended = new Promise<void>((resolve, reject) => {
      end = (error) => (error ? reject(error) : resolve());
    });
    return {
      work: async () => {
        begun.push(name);
        await ended;
        return name;
      },
      end: (error) => end(error),
    };
  }

  it('run a limited number of tasks at once, in order', async () => {
    const begun: string[] = [];
    const takeTurn = createConcurrencyLimit(2);
    const [one, two, three, four] = ['one', 'two', 'three', 'four'].map((name) => openWork(name, begun));
    if (!one || !two || !three || !four) throw new Error('four are needed');
    const results = [one, two, three, four].map(({ work }) => takeTurn(work, never));
    await Promise.resolve();
    expect(begun).toEqual(['one', 'two']);
    two.end();
    expect(await results[1]).toBe('two');
    await new Promise(setImmediate);
    expect(begun).toEqual(['one', 'two', 'three']);
    for (const { end } of [one, three, four]) end();
    expect(await Promise.all(results)).toEqual(['one', 'two', 'three', 'four']);
    expect(begun).toEqual(['one', 'two', 'three', 'four']);
  });

  it('pass on the turn of a failed task', async () => {
    const begun: string[] = [];
    const takeTurn = createConcurrencyLimit(1);
    const failing = openWork('failing', begun);
    const failed = takeTurn(failing.work, never);
    const next = takeTurn(() => Promise.resolve('next'), never);
    failing.end(new Error('broken'));
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('next');
  });

  it('are given up by an aborted waiter without losing a turn', async () => {
    const begun: string[] = [];
    const takeTurn = createConcurrencyLimit(1);
    const going = openWork('going', begun);
    const first = takeTurn(going.work, never);
    const controller = new AbortController();
    const aborted = takeTurn(openWork('aborted', begun).work, controller.signal);
    const last = takeTurn(() => Promise.resolve('last'), never);
    controller.abort(new Error('cancelled'));
    await expect(aborted).rejects.toThrow('cancelled');
    await expect(takeTurn(() => Promise.resolve('late'), controller.signal)).rejects.toThrow('cancelled');
    going.end();
    expect(await first).toBe('going');
    expect(await last).toBe('last');
    expect(begun).toEqual(['going']);
    expect(await takeTurn(() => Promise.resolve('after'), never)).toBe('after');
  });
});
