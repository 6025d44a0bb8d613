// Programs of Debian's packages, unpacked into a folder of the user's: the system stays as it is, and nobody need be root.
import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inOneLine } from './in-one-line.mjs';

const PACKAGE_LISTS = '/var/lib/apt/lists';
/** Fetching lists and packages may take a while, and must not hold up tests for longer. */
const UPDATE_MS = 120_000;
const FETCH_MS = 300_000;

const execute = promisify(execFile);

/**
 * Unpacks `packages`, and what they need that is not installed, into `folder`, which comes into being whole or not at
 * all; `folder/bin` has the `programs`, named by their paths in the packages. Rejects with a reason in one line.
 */
export async function unpackPackages({ packages, programs, folder, say }) {
  mkdirSync(join(folder, '..'), { recursive: true });
  const making = mkdtempSync(`${folder}.`);
  try {
    await refreshLists(say);
    const archives = join(making, 'archives');
    mkdirSync(join(archives, 'partial'), { recursive: true });
    say(`Getting ${packages.join(', ')} from Debian's packages, into ${folder}…`);
    await fetchPackages(packages, archives, say);
    const files = readdirSync(archives).filter((name) => name.endsWith('.deb'));
    if (files.length === 0) throw new Error('apt-get fetched nothing');
    for (const file of files)
      await inOneLine(execute('dpkg', ['-x', join(archives, file), join(making, 'root')]));
    rmSync(archives, { recursive: true });
    writePrograms(making, programs);
    rmSync(folder, { recursive: true, force: true });
    renameSync(making, folder);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** Downloads, and takes no lock of the system: nothing of it is changed. */
const FETCH = [
  ...['--quiet', '--yes', '--reinstall', '--no-install-recommends', '--download-only'],
  ...['-o', 'Debug::NoLocking=1', '-o', 'APT::Sandbox::User=root', '-o', 'Acquire::Retries=1'],
  ...['-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::https::Timeout=20'],
];

/** Lists that are older than the packages name files that are no more there. */
async function fetchPackages(packages, archives, say) {
  const fetching = [...FETCH, '-o', `Dir::Cache::archives=${archives}`, 'install', ...packages];
  const fetch = () => inOneLine(execute('apt-get', fetching, { timeout: FETCH_MS }));
  try {
    await fetch();
  } catch (error) {
    if (!/\b404\b/.test(error.cause?.stderr) || process.getuid?.() !== 0) throw error;
    await updateLists(say);
    await fetch();
  }
}

/** Without lists apt knows no package; only root may fetch them. */
async function refreshLists(say) {
  if (existsSync(PACKAGE_LISTS) && readdirSync(PACKAGE_LISTS).some((name) => name.includes('Packages')))
    return;
  if (process.getuid?.() !== 0)
    throw new Error('apt has no package lists; `apt-get update` as root fetches them');
  await updateLists(say);
}

async function updateLists(say) {
  say('Fetching the package lists of Debian…');
  await inOneLine(execute('apt-get', ['--quiet', 'update'], { timeout: UPDATE_MS }));
}

/** Each finds the libraries that came with it, wherever the folder is moved to. */
function writePrograms(folder, programs) {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const program of programs) {
    if (!existsSync(join(folder, 'root', program))) throw new Error(`the packages have no ${program}`);
    const name = program.split('/').at(-1);
    const script = [
      '#!/bin/sh',
      'root="$(dirname "$0")/../root"',
      // PulseAudio's library looks for its other half where the system would have it.
      'for lib in "$root"/lib/*-linux-gnu* "$root"/usr/lib/*-linux-gnu* "$root"/usr/lib/*-linux-gnu*/pulseaudio; do',
      '  if [ -d "$lib" ]; then LD_LIBRARY_PATH="$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"; fi',
      'done',
      'export LD_LIBRARY_PATH',
      `exec "$root/${program}" "$@"`,
    ];
    writeFileSync(join(bin, name), `${script.join('\n')}\n`);
    chmodSync(join(bin, name), 0o755);
  }
}

/** The newest package whose name is `prefix` and a number; null where there is none. */
export async function newestPackage(prefix) {
  const { stdout } = await inOneLine(execute('apt-cache', ['pkgnames', prefix]));
  const versions = stdout
    .split('\n')
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)))
    .filter(Number.isInteger);
  return versions.length === 0 ? null : `${prefix}${Math.max(...versions)}`;
}
