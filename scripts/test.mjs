// `npm test [-- arguments of vitest]`: sets up what is missing, runs the tests, and ends with a line that counts them.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './checkout.mjs';
import { setUp } from './setup.mjs';

const require = createRequire(import.meta.url);
const say = (line) => process.stdout.write(`${line}\n`);

/** Gets a Temporal server now, with progress shown, and not silently in the middle of the first test that needs one. */
async function prepareServer() {
  const { loadConfig } = require(join(root, 'dist', 'app', 'config.js'));
  const { findServerBinary } = require(join(root, 'dist', 'app', 'temporal', 'server-binary.js'));
  const startedAt = Date.now();
  const { path, from } = await findServerBinary({ ...loadConfig(), tell: say });
  if (from === 'download' || from === 'build') {
    say(`The Temporal server is at ${path} (${Math.round((Date.now() - startedAt) / 1000)} s)`);
  }
}

/** Everything that tests leave behind is in `folder`. */
function runVitest(args, folder) {
  const vitest = spawn(
    process.execPath,
    [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...args],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, TMPDIR: folder, TMP: folder, TEMP: folder },
    },
  );
  // Ctrl-C reaches vitest too; this process stays to clean up after it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => vitest.kill(signal));
  return new Promise((resolve, reject) =>
    vitest.on('error', reject).on('close', (code) => resolve(code ?? 1)),
  );
}

/** Stops the servers of tests that were interrupted. */
async function stopServersUnder(folder) {
  const { findServersUnder } = require(join(root, 'dist', 'app', 'temporal', 'server-record.js'));
  const { stopProcess } = require(join(root, 'dist', 'app', 'temporal', 'server-record.js'));
  const servers = (await findServersUnder(folder)) ?? [];
  await Promise.all(servers.map(({ pid }) => stopProcess(pid)));
}

/** Counts of a file of results, and the titles of groups that were skipped for want of something, with how many tests. */
function countResults(file) {
  const counts = { passed: 0, failed: 0, skipped: new Map() };
  if (!existsSync(file)) return counts;
  for (const { status, assertionResults } of JSON.parse(readFileSync(file, 'utf8')).testResults) {
    // A file that cannot be loaded has no tests that could fail.
    if (status === 'failed' && assertionResults.every((test) => test.status !== 'failed')) counts.failed += 1;
    for (const test of assertionResults) {
      if (test.status === 'passed') counts.passed += 1;
      else if (test.status === 'failed') counts.failed += 1;
      else {
        const why =
          test.ancestorTitles.find((title) => /^(needs|without) /.test(title)) ?? 'for other reasons';
        counts.skipped.set(why, (counts.skipped.get(why) ?? 0) + 1);
      }
    }
  }
  return counts;
}

async function main() {
  await setUp({ say });
  await prepareServer();
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'colligate-test-'));
  try {
    const results = join(folder, 'results.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
    const code = await runVitest([...process.argv.slice(2), ...reporters], folder);
    const { passed, failed, skipped } = countResults(results);
    for (const [why, tests] of skipped) say(`Skipped ${tests} tests: ${why}`);
    if (passed + failed === 0 && skipped.size === 0) say('No test ran');
    say(`${passed} passed, ${failed} failed`);
    return code !== 0 || failed > 0 || (passed === 0 && skipped.size === 0) ? 1 : 0;
  } finally {
    await stopServersUnder(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main().catch((error) => {
  say(error.message);
  say('0 passed, 1 failed');
  return 1;
});
