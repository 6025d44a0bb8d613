// Where this checkout is, and running programs in it.
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Runs a program in the checkout; rejects unless it succeeds, with what it said as `output`. What it says goes to
 * standard error, or with `quiet` only into the error.
 */
export function run(command, args, { quiet = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: command.endsWith('.cmd'),
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
      reject(
        Object.assign(new Error(`${[command, ...args].join(' ')} ended with ${code ?? signal}${said}`), {
          output,
        }),
      );
    });
  });
}
