// Where this checkout is, and running programs in it.
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Runs a program in the checkout; rejects unless it succeeds. What it says goes to standard error, or with
 * `quiet` only into the error.
 */
export function run(command, args, { quiet = false } = {}) {
  return new Promise((resolve, reject) => {
    // Windows runs a .cmd in a shell, and Node 24 warns of arguments beside one.
    const shell = command.endsWith('.cmd');
    const child = spawn(shell ? [command, ...args].join(' ') : command, shell ? [] : args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
        if (!quiet) process.stderr.write(text);
      });
    }
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) {
        resolve();
        return;
      }
      const said = quiet ? `:\n${output.trim()}` : '';
      reject(new Error(`${[command, ...args].join(' ')} ended with ${code ?? signal}${said}`));
    });
  });
}
