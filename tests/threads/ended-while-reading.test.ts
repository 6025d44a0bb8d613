import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { BUILT } from '../support/build';


/** A pool of one thread, and a text that it reads for half a second, sentence by sentence. */
const READS = `
const { createThreadPool } = require(${JSON.stringify(path.join(BUILT, 'threads/pool.js'))});
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

test('a task that reads by meaning can be ended at any moment, and its process goes on', async () => {
  const { stdout } = await runsThrough(`
    (async () => {
      for (let after = 50; after <= 900; after += 50) {
        const controller = new AbortController();
        const task = pool.run('sources-answer', input, controller.signal).then(() => 'read', (error) => error.name);
        setTimeout(() => controller.abort(), after);
        console.log(await task);
      }
      await pool.close();
    })();
  `);
  const ends = stdout.trim().split('\n');
  expect(ends).toHaveLength(18);
  expect(ends).toContain('AbortError');
  expect(ends.every((end) => end === 'AbortError' || end === 'read')).toBe(true);
});

test('a process that exits while a thread reads by meaning ends as it says', async () => {
  for (const after of [400, 700, 1_000])
    await expect(
      runsThrough(`
        void pool.run('sources-answer', input);
        setTimeout(() => process.exit(42), ${after});
      `),
    ).rejects.toMatchObject({ code: 42, signal: null });
});
