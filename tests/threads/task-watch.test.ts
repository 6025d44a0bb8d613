import type { GatheredSource } from '../../src/core/passages/catalogued';
import { ThreadStalledError } from '../../src/threads/task-watch';
import { createTestThreads } from '../support/test-threads';
import { tableOf } from '../support/crowds/near-duplicates';

const LIMIT_MS = 15_000;

describe('a thread that comes to no end with its task', () => {
  it('is replaced, and whoever waits behind it is served', async () => {
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

  it('leaves nothing at the signal of an activity that has many tasks', async () => {
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

function gathered(url: string): GatheredSource {
  return {
    entry: { id: 'a', url, title: 'A', contentRef: 'a'.repeat(64), contentChars: 1, summaryRef: null },
    summaryRef: 'a'.repeat(64),
    held: [],
    group: undefined,
    nearDuplicateOf: undefined,
  };
}
