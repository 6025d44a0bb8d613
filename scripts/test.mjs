// `npm test`: sets up what is missing, runs jest with the given arguments, and ends with a line that counts.
//   npm test -- [--times] [--long] [arguments of jest]
// `--times`: a table before that line says where the time went. `--long`: the long form of tests (`tests/support/long.ts`).
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './checkout.mjs';
import { dataFolder, hasDataFolder } from './data-folder.mjs';
import { prepareBrowser, prepareSearxng, prepareServices } from './services/services.mjs';
import { setUp } from './setup.mjs';
import { timeTable } from './test-times.mjs';

const require = createRequire(import.meta.url);
const say = (line) => process.stdout.write(`${line}\n`);

/** Gets a Temporal server now, with progress shown, rather than silently in the middle of the first test that needs one. */
async function prepareServer() {
  const { loadConfig } = require(join(root, 'dist', 'config', 'config.js'));
  const { findServerBinary } = require(join(root, 'dist', 'temporal', 'find-server-binary.js'));
  const startedAt = Date.now();
  const { path, from } = await findServerBinary({ ...loadConfig(), tell: say });
  if (from === 'download' || from === 'build') {
    say(`The Temporal server is at ${path} (${Math.round((Date.now() - startedAt) / 1000)} s)`);
  }
}

/** Redis, PostgreSQL, Chromium, SearXNG: tests that need one that is not to be had are skipped. */
async function prepareOthers() {
  const { loadConfig } = require(join(root, 'dist', 'config', 'config.js'));
  const config = loadConfig();
  await prepareServices({ config, say });
  await prepareBrowser({ config, say });
  await prepareSearxng({ config, say });
}

function runJest(args, folder, more) {
  const jest = spawn(process.execPath, [require.resolve('jest/bin/jest'), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // Everything that tests leave behind lies in one folder.
    env: {
      ...process.env,
      TMPDIR: folder,
      TMP: folder,
      TEMP: folder,
      COLLIGATE_TEST_BUILT: '1',
      ...more,
    },
  });
  // Ctrl-C reaches jest too; this process stays to clean up after it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => jest.kill(signal));
  return new Promise((resolve, reject) => jest.on('error', reject).on('close', (code) => resolve(code ?? 1)));
}

/** Servers of tests that were broken off. */
async function stopServersUnder(folder) {
  const { findServersUnder } = require(join(root, 'dist', 'temporal', 'process-of-server.js'));
  const { stopProcess } = require(join(root, 'dist', 'temporal', 'stop-process.js'));
  const left = (await findServersUnder(folder)) ?? [];
  await Promise.all(left.map(({ pid }) => stopProcess(pid)));
}

/** The title of the group that tests/support/shared-data.ts puts around tests whose data is missing. */
const WITHOUT_DATA = /^without (.+)$/;
/** The title of any other group whose tests are skipped where something is not to be had. */
const NEEDS = /^needs (.+)$/;

function countResults(file) {
  if (!existsSync(file)) return { passed: 0, failed: 0, skipped: 0, withoutData: 0, missing: [], needed: [] };
  const results = JSON.parse(readFileSync(file, 'utf8'));
  const titles = results.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'pending')
    .flatMap(({ ancestorTitles }) => ancestorTitles);
  const named = (pattern) => titles.flatMap((title) => pattern.exec(title)?.[1] ?? []);
  const missing = named(WITHOUT_DATA);
  return {
    passed: results.numPassedTests,
    // A file that could not even be loaded has no tests that could fail.
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
    skipped: results.numPendingTests + results.numTodoTests,
    withoutData: missing.length,
    missing: [...new Set(missing.flatMap((files) => files.split(', ')))].sort(),
    needed: [...new Set(named(NEEDS))],
  };
}

/** Where the shared data is, everything is tested: CI takes no test for passed that was not run. */
function isAccepted({ skipped, withoutData }) {
  return !process.env.CI || skipped === (hasDataFolder ? 0 : withoutData);
}

function saySkipped(counts) {
  const { skipped, withoutData, missing, needed } = counts;
  const wanted = `${missing.join(', ')} in ${dataFolder} (COLLIGATE_DATA names another folder)`;
  const told = [
    ...(withoutData > 0 ? [`${withoutData} skipped for want of ${wanted}`] : []),
    ...(skipped > withoutData
      ? [
          `${skipped - withoutData} skipped for ${needed.length > 0 ? `want of ${needed.join(', ')}` : 'other reasons'}`,
        ]
      : []),
    ...(isAccepted(counts) ? [] : ['CI does not accept that']),
  ];
  if (skipped > 0) say(told.join('; '));
}

async function main() {
  await setUp({ say });
  await prepareServer();
  await prepareOthers();
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'colligate-test-'));
  try {
    const results = join(folder, 'results.json');
    const times = join(folder, 'times.jsonl');
    const given = process.argv.slice(2);
    const args = given.filter((argument) => !['--times', '--long'].includes(argument));
    const code = await runJest([...args, '--json', `--outputFile=${results}`], folder, {
      COLLIGATE_TEST_TIMES: times,
      ...(given.includes('--long') ? { COLLIGATE_TEST_LONG: '1' } : {}),
    });
    if (given.includes('--times')) timeTable(times, root).forEach(say);
    const counts = countResults(results);
    const { passed, failed, withoutData } = counts;
    saySkipped(counts);
    const foundNone = passed + failed + withoutData === 0;
    if (foundNone) say('No test ran');
    say(`${passed} passed, ${failed} failed`);
    return code !== 0 || failed > 0 || foundNone || !isAccepted(counts) ? 1 : 0;
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
