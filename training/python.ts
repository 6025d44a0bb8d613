import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../src/config/config';

/** A Python with the packages of `requirements.txt`, in exactly their versions. */
export interface Python {
  command: string;
  env: NodeJS.ProcessEnv;
}

const REQUIREMENTS = join(__dirname, 'requirements.txt');
const COMMAND = 'python3';
const HAS_PACKAGES = `
import sys
from importlib.metadata import version
sys.exit(any(version(name) != wanted for name, wanted in (line.split("==") for line in sys.argv[1:])))
`;

/**
 * The machine's own Python where it has the packages, else the same with a folder of them, which is filled once and kept
 * beside the server's binary. Null where there is no Python, or the packages are not to be had in time.
 */
export function findPython(limitMs: number): Python | null {
  const wanted = readFileSync(REQUIREMENTS, 'utf8').trim();
  const bare: Python = { command: COMMAND, env: process.env };
  if (hasPackages(bare, wanted)) return bare;
  const release = spawnSync(COMMAND, ['--version'], { encoding: 'utf8' });
  if (release.status !== 0) return null;
  const digest = createHash('sha256').update(wanted).update(release.stdout).digest('hex').slice(0, 12);
  const folder = join(loadConfig().cacheDir, `training-${digest}`);
  const supplied: Python = { command: COMMAND, env: { ...process.env, PYTHONPATH: folder } };
  if (!existsSync(folder)) install(folder, limitMs);
  return hasPackages(supplied, wanted) ? supplied : null;
}

function hasPackages({ command, env }: Python, wanted: string): boolean {
  return spawnSync(command, ['-c', HAS_PACKAGES, ...wanted.split('\n')], { env }).status === 0;
}

/** The folder is there when it is complete. */
function install(folder: string, limitMs: number): void {
  const part = `${folder}.${process.pid}`;
  mkdirSync(part, { recursive: true });
  const pip = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--only-binary=:all:',
    '--target',
    part,
    '-r',
    REQUIREMENTS,
  ];
  try {
    const { status } = spawnSync(COMMAND, pip, { timeout: limitMs, stdio: 'ignore' });
    // Somebody else may have been faster.
    if (status === 0 && !existsSync(folder)) renameSync(part, folder);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}
