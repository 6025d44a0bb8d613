// `node scripts/named-tests.mjs [page]`: whether jest runs every test that a page names, docs/conformance.md where none is given.
// A test file, or a folder of such, is named by its path in backquotes; titles of its tests stand in quotation marks directly behind it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { root } from './checkout.mjs';

const page = process.argv[2] ?? join(root, 'docs', 'conformance.md');

const NAMED = /`([^`]*)`((?:,? "[^"]+")*)/g;
const A_TEST = /^tests\/|\.(test|long|contract)\.ts$/;

const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
// The long ones are run by `scripts/long-checks.mjs`.
const env = { ...process.env, COLLIGATE_TEST_LONG: '1' };
const run = execFileSync(process.execPath, [jest, '--listTests'], { cwd: root, env, encoding: 'utf8' })
  .split('\n')
  .map((path) => relative(root, path));

function problemsOf(line) {
  return [...line.matchAll(NAMED)]
    .filter(([, path]) => A_TEST.test(path))
    .flatMap(([, path, titles]) => {
      const files = run.filter((file) => file === path || file.startsWith(`${path}/`));
      if (files.length === 0) return [`${path} is neither a test that jest runs nor a folder of tests`];
      return [...titles.matchAll(/"([^"]+)"/g)]
        .filter(([, title]) => !files.some((file) => hasTitle(file, title)))
        .map(([, title]) => `${path} has no test of the title "${title}"`);
    });
}

/** Whether it stands in a text of the code, and not in a comment. */
function hasTitle(file, title) {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return lines.some((line) => /^[^/]*['"`]/.exec(line.slice(0, Math.max(0, line.indexOf(title)))));
}

const problems = readFileSync(page, 'utf8')
  .split('\n')
  .flatMap((line, at) =>
    problemsOf(line).map((problem) => `${relative(root, page)}:${at + 1}: ${problem}: ${line.slice(0, 80)}…`),
  );
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
