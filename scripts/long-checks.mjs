// What takes long and depends on few folders: each check is carried out where one of its folders has changed since it last passed, and
// a line says so. CI_FULL=1 carries out all of them.
//   node scripts/long-checks.mjs [NAME…] [--record]
// `--record`: what passes is written into .ci/passed.json, which is committed.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './checkout.mjs';
import { setUp } from './setup.mjs';

const test = (...paths) => ['npm', 'test', '--', '--long', ...paths];
/** What carries a run, whatever it is about. */
const RUNS = ['src/activities', 'src/app', 'src/contracts', 'src/stores', 'src/temporal', 'src/workflows'];
/** What holds work, kills processes and compares what runs leave. */
const KILLS = 'tests/support/kills';
/** What judges sentences. */
const READING = [
  'src/core',
  'src/encoder',
  'src/language',
  'src/reading',
  'src/retrieval',
  'src/verification',
];

const CHECKS = {
  kills: {
    command: test('tests/system/durability', 'killed-firings', 'tests/stores/lmdb-crash'),
    folders: [...RUNS, KILLS, 'tests/stores', 'tests/system/durability', 'tests/system/schedules'],
  },
  // Endpoints that fail, lie, say nothing and are away; budgets that end.
  models: {
    command: test(
      ...['budget', 'empty-answers', 'endpoint-away', 'faults'].map(
        (name) => `tests/system/model-runs/${name}.long`,
      ),
    ),
    folders: [
      ...[...RUNS, 'src/core/budget', 'src/engines', 'src/steps'],
      ...['tests/model-server', 'tests/system/model-runs'],
    ],
  },
  // What is kept by Redis and PostgreSQL as lmdb keeps it, and while they are killed.
  stores: {
    command: test(
      ...['tests/stores/.*contracts', 'tests/system/stores', 'tests/system/redis'].map(
        (path) => `${path}.*long`,
      ),
    ),
    folders: [
      ...RUNS,
      KILLS,
      'tests/stores',
      'tests/support/services',
      'tests/system/redis',
      'tests/system/stores',
    ],
  },
  // By itself: seven runs are held in their work at once, and beside others one of them was not always reached.
  paid: {
    command: test('paid-once'),
    folders: [...RUNS, KILLS, 'src/engines/model', 'tests/system/model-runs'],
  },
  strangers: {
    command: test(
      ...['tests/system/doors', 'tests/system/floods', 'tests/system/model-injection'],
      ...['damaged-entries', 'given-files', 'many-sources'],
    ),
    folders: [
      ...[...RUNS, 'src/cli', 'src/client', 'src/engines', 'src/steps'],
      ...['tests/system/doors', 'tests/system/floods', 'tests/system/model-injection'],
    ],
  },
  acceptance: {
    command: test('tests/system/acceptance', 'tests/system/conflicts'),
    folders: [
      ...READING,
      'src/engines',
      'src/workflows',
      'tests/model-server',
      'tests/system/acceptance',
      'tests/system/conflicts',
    ],
  },
  // A model that nobody scripted. Skipped, and why is said, where it cannot be got: `npm test` takes no such skip in CI.
  smollm: {
    command: [process.execPath, join('node_modules', 'jest', 'bin', 'jest.js'), 'tests/system/model-smollm'],
    folders: ['src/engines', 'src/steps', 'tests/system/model-smollm'],
  },
  // The notebook, with a client that is generated from the document; skipped where there is no Python or no registry of its packages.
  python: {
    command: [process.execPath, join('node_modules', 'jest', 'bin', 'jest.js'), 'tests/system/python'],
    folders: ['docs/openapi.json', 'examples/python', 'src/http', 'tests/system/python'],
  },
  // Weights are made twice from a tiny sample; skipped where python3 has not the packages.
  training: {
    command: [process.execPath, join('node_modules', 'jest', 'bin', 'jest.js'), 'tests/training/train'],
    folders: [...READING, 'tests/training', 'training'],
  },
  // No figure falls below its floor; where there is no data nothing is measured.
  eval: {
    command: ['npm', 'run', '-s', 'eval', '--', 'all', '--short'],
    folders: [...READING, 'src/answers', 'src/engines/extractive', 'src/subtopics', 'scripts/eval'],
  },
  // Workers, Redis and the server are killed; reports, calls and events stay as they are.
  chaos: {
    command: ['npm', 'run', '-s', 'chaos', '--', '--short'],
    folders: [...RUNS, KILLS, 'src/engines/model', 'tests/system/chaos'],
  },
  // What compose starts, started natively; skipped, and that is said, where the server cannot be built.
  topology: {
    command: ['npm', 'run', '-s', 'topology', '--', '--skip-without-server'],
    folders: [
      ...[...RUNS, KILLS, 'deploy', 'docker-compose.yml', 'scripts/services'],
      ...['scripts/topology.mjs', 'tests/support/services', 'tests/system/topology'],
    ],
  },
};

const RECORD = join(root, '.ci', 'passed.json');
const say = (line) => process.stdout.write(`${line}\n`);

/** Of what is committed below the folders; null where something there is not. */
function stateOf(folders) {
  const git = (...args) => execFileSync('git', [...args, '--', ...folders], { cwd: root, encoding: 'utf8' });
  if (git('status', '--porcelain') !== '') return null;
  return createHash('sha256')
    .update(git('ls-tree', '-r', 'HEAD'))
    .digest('hex')
    .slice(0, 16);
}

function carryOut([program, ...args]) {
  return new Promise((resolve, reject) => {
    // It is built below, before the first of them.
    const env = { ...process.env, COLLIGATE_TEST_LONG: '1', COLLIGATE_TEST_BUILT: '1' };
    const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', reject).on('close', (code) => resolve(code === 0));
  });
}

const { values, positionals } = parseArgs({
  options: { record: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !(name in CHECKS));
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(', ')}; there are ${Object.keys(CHECKS).join(', ')}.\n`);
  process.exit(2);
}
const isWanted = (name) => positionals.length === 0 || positionals.includes(name);
await setUp();
const passed = JSON.parse(readFileSync(RECORD, 'utf8'));
for (const [name, { command, folders }] of Object.entries(CHECKS).filter(([key]) => isWanted(key))) {
  const state = stateOf(folders);
  if (process.env.CI_FULL !== '1' && state !== null && passed[name] === state) {
    say(`Long check ${name}: not carried out, nothing it depends on has changed since it passed`);
    continue;
  }
  say(`Long check ${name}…`);
  const startedAt = Date.now();
  const isWell = await carryOut(command);
  say(
    `Long check ${name}: ${isWell ? 'passed' : 'FAILED'} (${Math.round((Date.now() - startedAt) / 1_000)} s)`,
  );
  if (!isWell) process.exitCode = 1;
  else if (values.record && state !== null) {
    passed[name] = state;
    writeFileSync(RECORD, `${JSON.stringify(passed, null, 2)}\n`);
  }
}
