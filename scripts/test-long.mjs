// `npm run test:long [-- NAME… [-- options of a script]]`: the tests that take too long for every change. All of them without a name.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './checkout.mjs';
import { setUp } from './setup.mjs';

const vitest = (...paths) => [join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...paths];

/** Arguments of node, by the name of the test. */
const LONG_TESTS = {
  // Workers, servers and clients killed in reports, answers, briefs, searches and schedules; 48 crashes of lmdb.
  kills: vitest(
    'tests/system/durability',
    'answers/durability',
    'briefs/killed-between',
    'search/killed',
    'schedules/killed-firings',
    'tests/stores/lmdb-crash',
  ),
  // Endpoints that are away, and workers that are missing.
  models: vitest('runs/outages'),
  // All attacks at once, while another client waits for less than a second.
  attacks: vitest('tests/http/attacks'),
  // Document 002's acceptance tests with both engines.
  acceptance: vitest('tests/system/acceptance'),
  // Reports by a small real model. Skipped where it cannot be downloaded.
  smollm: vitest('tests/system/model-smollm'),
  // The floors of all figures. Nothing is measured without ../shared/data.
  eval: [join('scripts', 'eval.mjs'), 'all', '--short'],
};

function runNode(args) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, COLLIGATE_TEST_LONG: '1' },
  });
  // Ctrl-C reaches both; this process stays until the other has cleaned up.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) =>
    child.on('error', reject).on('close', (code) => resolve(code === 0)),
  );
}

const given = process.argv.slice(2);
const end = given.includes('--') ? given.indexOf('--') : given.length;
const names = given.slice(0, end);
const unknown = names.filter((name) => !(name in LONG_TESTS));
if (unknown.length > 0) {
  process.stderr.write(
    `Unknown test: ${unknown.join(', ')}. Known are ${Object.keys(LONG_TESTS).join(', ')}.\n`,
  );
  process.exit(2);
}
await setUp();
const counts = { passed: 0, failed: 0 };
for (const name of names.length > 0 ? names : Object.keys(LONG_TESTS)) {
  const startedAt = Date.now();
  const passed = await runNode([...LONG_TESTS[name], ...given.slice(end + 1)]);
  counts[passed ? 'passed' : 'failed'] += 1;
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  process.stdout.write(`${passed ? 'pass' : 'FAIL'}  ${name} (${seconds} s)\n`);
}
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`);
process.exitCode = counts.failed === 0 ? 0 : 1;
