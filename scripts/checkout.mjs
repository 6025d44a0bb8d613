// Where this checkout is, and running programs in it.
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Runs a program of the checkout with this terminal's output on standard error; rejects unless it succeeds. */
export function run(command, args, { stdio = ['ignore', 2, 2], env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio, env, shell: command.endsWith('.cmd') });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${[command, ...args].join(' ')} ended with ${code ?? signal}`));
    });
  });
}
