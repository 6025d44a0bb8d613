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

/** What the check says of a tree of files that have as many lines, below a head where there is one. */
function shapeOf(files: Record<string, number | [head: string, lines: number]>): {
  status: number | null;
  problems: string[];
} {
  for (const [path, file] of Object.entries(files)) {
    const [head, lines] = typeof file === 'number' ? ['', file] : file;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), head + 'line\n'.repeat(lines));
  }
  const { status, stdout } = spawnSync(process.execPath, [SHAPE, folder], { encoding: 'utf8' });
  return { status, problems: stdout.split('\n').filter((line) => line !== '') };
}

const HEAD = 'one table of all the words that the reader weighs, in their order';

test('files of any number and length have no problems where the long ones explain themselves', () => {
  const many = Array.from({ length: 60 }, (_, at) => [`src/core/a/file-${at}.ts`, 300] as const);
  expect(
    shapeOf({
      ...Object.fromEntries(many),
      'src/core/b/long.ts': [`/** ${HEAD}. */\n`, 5_000],
      'src/core/b/lines.ts': [`// ${HEAD.slice(0, 30)}\n// ${HEAD.slice(30)}.\n`, 301],
      'src/core/b/data/words.json': 9_000,
      'scripts/long.mjs': [`#!/usr/bin/env node\n// ${HEAD}.\n`, 301],
      'tests/core/a/a.test.ts': 900,
      'tests/system/runs/run.test.ts': 10,
    }),
  ).toEqual({ status: 0, problems: [] });
});

const LONG =
  /^\S+ has \d+ lines, more than 300: begin it with a comment that says why .* a file of its own\.$/;

test.each<[string, Parameters<typeof shapeOf>[0], RegExp[]]>([
  ['a long file without a head', { 'src/cli/short.ts': 300, 'src/cli/long.ts': 301 }, [LONG]],
  ['a long file that only has a title', { 'src/cli/long.ts': ['// The words.\n', 301] }, [LONG]],
  [
    'a long file that explains itself further down',
    { 'scripts/long.mjs': [`import './a.mjs';\n// ${HEAD}.\n`, 301] },
    [LONG],
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
