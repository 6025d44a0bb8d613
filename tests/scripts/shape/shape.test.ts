import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const SHAPE = resolve(__dirname, '../../../scripts/shape.mjs');

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shape-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What the check says of a tree of files that have as many lines. */
function shapeOf(files: Record<string, number>): { status: number | null; problems: string[] } {
  for (const [path, lines] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), 'line\n'.repeat(lines));
  }
  const { status, stdout } = spawnSync(process.execPath, [SHAPE, folder], { encoding: 'utf8' });
  return { status, problems: stdout.split('\n').filter((line) => line !== '') };
}

function many(count: number, path: (at: number) => string, lines: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [path(at), lines]));
}

test('a tree within all limits has no problems', () => {
  const files = {
    ...many(25, (at) => `src/core/a/file-${at}.ts`, 60),
    'src/core/b/long.ts': 250,
    'src/core/b/data/words.json': 9_000,
    'tests/core/a/a.test.ts': 900,
    'tests/system/runs/run.test.ts': 10,
  };
  expect(shapeOf(files)).toEqual({ status: 0, problems: [] });
});

test.each<[string, Record<string, number>, RegExp[]]>([
  [
    'a file that is too long',
    { 'src/cli/a.ts': 10, 'src/cli/b.ts': 10, 'src/cli/long.ts': 251 },
    [/^src\/cli\/long\.ts has 251 lines, more than 250: give .* a file of its own\.$/],
  ],
  [
    'tests of what is not there',
    { 'src/cli/a.ts': 1, 'tests/cli/a.test.ts': 1, 'tests/command-line/a.test.ts': 1 },
    [/^tests\/command-line\/ tests src\/command-line\/, which is not there: move the tests/],
  ],
])('%s: the place and what to do', (_what, files, expected) => {
  const { status, problems } = shapeOf(files);
  expect(status).toBe(1);
  expect(problems).toEqual(expected.map((pattern): unknown => expect.stringMatching(pattern)));
});

test('a drawing of other rooms than there are: what to run', () => {
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs', 'structure.md'), '# Drawn\n\n## Now\n\n  cli["cli"]\n  gone["gone"]\n');
  expect(shapeOf({ 'src/cli/a.ts': 1, 'src/engines/model/a.ts': 1 })).toEqual({
    status: 1,
    problems: [
      'docs/structure.md does not draw engines/model: run `npm run draw`.',
      'docs/structure.md draws gone, which is not there: run `npm run draw`.',
    ],
  });
});
