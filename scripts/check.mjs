// `npm run check`: everything that can be said about the code without running it. All checks run; each says how it went.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './checkout.mjs';
import { setUp } from './setup.mjs';

const require = createRequire(import.meta.url);

/** The script behind a package's command. */
function command(packageName, name = packageName) {
  // Not every package exports its package.json, so it is looked up by path.
  const file = join(root, 'node_modules', packageName, 'package.json');
  const { bin } = require(file);
  return join(dirname(file), typeof bin === 'string' ? bin : bin[name]);
}

/** What was found of a file is kept by its content, until `npm ci` takes it away. */
const CACHE = join('node_modules', '.cache', 'check');
const cached = (name) => ['--cache', '--cache-strategy=content', `--cache-location=${join(CACHE, name)}`];

/** The longest first: with two at once the others then fill the second core beside it. */
const checks = [
  ['lint', lint],
  [
    'types',
    () => node(command('typescript', 'tsc'), '--incremental', '--tsBuildInfoFile', join(CACHE, 'types')),
  ],
  ['format', () => node(command('prettier'), '--check', '--log-level=warn', '.', ...cached('format'))],
  [
    'dependency rules',
    () => node(command('dependency-cruiser', 'depcruise'), 'src', 'tests', 'scripts', 'training'),
  ],
  ['dead code', () => node(command('knip'))],
  ['workflow bundle', bundle],
  ['module sizes', sizes],
  ['lock file', () => node(join(root, 'scripts', 'lock.mjs'))],
  ['settings page', () => node(command('tsx'), join('scripts', 'write-settings.ts'), '--check')],
];
const AT_ONCE = 2;

/** A file that did not change is not looked at again, though the types that it uses may have: CI looks at all. */
function lint() {
  return node(command('eslint'), '.', '--max-warnings=0', ...(process.env.CI ? [] : cached('lint')));
}

function node(...args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.on('error', (error) => resolve({ passed: false, output: error.message }));
    child.on('close', (code) => resolve({ passed: code === 0, output }));
  });
}

async function sizes() {
  const { moduleSizes } = await import('./module-sizes.mjs');
  const found = moduleSizes();
  return { passed: found.length === 0, output: found.join('\n') };
}

async function bundle() {
  try {
    const { bundleWorkflows } = await import('./workflow-bundle.mjs');
    const code = await bundleWorkflows();
    return { passed: true, output: `${(code.length / 1e6).toFixed(1)} MB with its source map` };
  } catch (error) {
    return { passed: false, output: error.message };
  }
}

await setUp({ build: 'never' });
const failed = [];
const waiting = [...checks];

async function checkOneAfterAnother() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, check] = next;
    const startedAt = Date.now();
    const { passed, output } = await check();
    process.stdout.write(
      `${passed ? 'pass' : 'FAIL'}  ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)\n`,
    );
    if (!passed) {
      process.stdout.write(`${output.trim()}\n\n`);
      failed.push(name);
    }
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, checkOneAfterAnother));
process.stdout.write(`Checks: ${checks.length - failed.length} passed, ${failed.length} failed\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
