// Python's packages in an environment of their own, in a folder of the user's: the system's Python stays as it is.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inOneLine } from './in-one-line.mjs';

const INSTALL_MS = 300_000;

const execute = promisify(execFile);

/** Installs `packages` into `folder`, which comes into being whole or not at all; `bin/python` there has them. Rejects with a reason in one line. */
export async function installPython({ packages, folder, say }) {
  mkdirSync(join(folder, '..'), { recursive: true });
  const making = mkdtempSync(`${folder}.`);
  try {
    say(`Getting ${packages.join(', ')} from PyPI, into ${folder}…`);
    await inOneLine(execute('python3', ['-m', 'venv', making], { timeout: INSTALL_MS }));
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages];
    await inOneLine(execute(join(making, 'bin', 'python'), install, { timeout: INSTALL_MS }));
    rmSync(folder, { recursive: true, force: true });
    renameSync(making, folder);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}
