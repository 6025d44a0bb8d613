// Makes a checkout ready to run: Node's version, the locked packages, the build. Plain Node, because it runs before
// anything is installed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compile } from './compile.mjs';
import { root, run } from './checkout.mjs';

const oldestNode = [20, 19];

/**
 * Does what is missing, and says so line by line through `say`; says nothing where nothing is. `build` is `never`,
 * `if-changed` or `always`.
 */
export async function setUp({
  say = (line) => process.stderr.write(`${line}\n`),
  build = 'if-changed',
} = {}) {
  checkNode();
  await oneAtATime(say, async () => {
    if (!packagesAreInstalled()) {
      await timed(say, 'Installing the locked packages (a minute or two)', installPackages);
    }
    if (build === 'never') return;
    const state = sourceState();
    if (build === 'if-changed' && builtState() === state) return;
    await timed(say, 'Building', () => compile(state));
  });
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  process.stderr.write(
    `Colligate needs Node ${oldestNode.join('.')} or newer; this is ${process.versions.node}. See https://nodejs.org.\n`,
  );
  process.exit(2);
}

/** npm notes in node_modules what it has installed, when it has finished. Packages for other systems are left out. */
function packagesAreInstalled() {
  if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) return false;
  const locked = readJson('package-lock.json').packages;
  const installed = readJson('node_modules', '.package-lock.json').packages;
  return Object.entries(locked).every(
    ([path, { version, optional, devOptional, integrity }]) =>
      path === '' ||
      optional ||
      devOptional ||
      (installed[path]?.version === version && installed[path]?.integrity === integrity),
  );
}

function installPackages() {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  return run(npm, ['ci', '--loglevel=error'], { quiet: true });
}

function readJson(...path) {
  return JSON.parse(readFileSync(join(root, ...path), 'utf8'));
}

/** A hash of everything that the build is made from. */
function sourceState() {
  const hash = createHash('sha256');
  const files = [
    ...filesUnder(join(root, 'src')),
    ...[
      'package-lock.json',
      'tsconfig.json',
      'tsconfig.build.json',
      'scripts/compile.mjs',
      'scripts/workflow-bundle.mjs',
    ].map((name) => join(root, name)),
  ];
  for (const file of files)
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function filesUnder(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesUnder(path) : [path];
    });
}

function builtState() {
  const stamp = join(root, 'dist', '.source-state');
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : null;
}

async function timed(say, what, work) {
  say(`${what}…`);
  const startedAt = Date.now();
  await work();
  say(`${what}: done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}

/** Two commands at once must not both install or build. The lock of a process that has gone does not count. */
async function oneAtATime(say, work) {
  const lock = join(
    tmpdir(),
    `colligate-setup-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`,
  );
  const owner = join(lock, 'pid');
  let told = false;
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (!(await isHeld(owner))) {
      rmSync(lock, { recursive: true, force: true });
      continue;
    }
    if (!told) say('Another command is setting this checkout up; waiting for it…');
    told = true;
    await sleep(200);
  }
  const release = () => rmSync(lock, { recursive: true, force: true });
  process.once('exit', release);
  try {
    writeFileSync(owner, String(process.pid));
    await work();
  } finally {
    release();
    process.off('exit', release);
  }
}

async function isHeld(owner) {
  // The owner writes its number right after it has taken the lock.
  if (!existsSync(owner)) await sleep(500);
  if (!existsSync(owner)) return false;
  try {
    process.kill(Number(readFileSync(owner, 'utf8')), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
