import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const CHECK = resolve(__dirname, '../../scripts/named-tests.mjs');

/** What the check says of a table whose rows name these. */
function problemsOf(...named: string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'named-tests-'));
  try {
    const page = join(folder, 'page.md');
    writeFileSync(
      page,
      named.map((tests, at) => `| asked ${at} | \`core/\` "where" | ${tests} |\n`).join(''),
    );
    const { status, stdout } = spawnSync(process.execPath, [CHECK, page], { encoding: 'utf8' });
    const problems = stdout.split('\n').filter((line) => line !== '');
    expect(status).toBe(problems.length === 0 ? 0 : 1);
    return problems.map((problem) => problem.replace(/^.*page\.md:/, ''));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const THIS = '`tests/scripts/named-tests.test.ts`';

test('what jest runs is well named: files, folders, long files and titles', () => {
  const titled = `${THIS} "what jest runs", "is refused with its row"; \`tests/scripts\` "the lock file is whole"`;
  expect(problemsOf(THIS, titled, '`tests/system/model-runs/paid-once.long.ts`', '`npm run bench`')).toEqual(
    [],
  );
});

test.each([
  ['`tests/scripts/gone.test.ts`', 'tests/scripts/gone.test.ts is neither a test'],
  ['`tests/support`', 'tests/support is neither a test'],
  ['`tests/stores/content-store.contract.ts`', 'tests/stores/content-store.contract.ts is neither a test'],
  ['`tests/**/lock.test.ts`', 'tests/**/lock.test.ts is neither a test'],
  ['`named-tests.test.ts`', 'named-tests.test.ts is neither a test'],
  [`${THIS} "no such ti` + 'tle"', 'tests/scripts/named-tests.test.ts has no test of the title "no such'],
])('what jest does not run is refused with its row: %s', (named, problem) => {
  const [first = '', ...others] = problemsOf(THIS, named);
  expect(others).toEqual([]);
  expect(first).toMatch(/^2: .*: \| asked 1 \|/);
  expect(first).toContain(problem);
});
