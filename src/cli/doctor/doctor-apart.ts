import { execFile } from 'node:child_process';
import path from 'node:path';
import type { Sources } from '../../config/read-given';
import type { Finding } from './doctor-finding';

const COMMAND_LINE = path.join(__dirname, '..', 'main.js');
const LIMIT_MS = 60_000;
const MOST_BYTES = 1_000_000;

/** As `examine`, in a process of its own: it opens the stores, and no process may open the same twice. */
export function examineApart({
  set = [],
  cwd,
  env,
}: Pick<Sources, 'set' | 'cwd' | 'env'>): Promise<Finding[]> {
  const args = [COMMAND_LINE, 'doctor', '--json', ...set.flatMap((setting) => ['--set', setting])];
  return new Promise((resolve, reject) => {
    // It ends with another code than 0 where something is wrong, which is what is asked for.
    execFile(
      process.execPath,
      args,
      { cwd, env, timeout: LIMIT_MS, maxBuffer: MOST_BYTES },
      (error, stdout) => {
        try {
          resolve((JSON.parse(stdout) as { checks: Finding[] }).checks);
        } catch {
          reject(error ?? new Error('"doctor" said nothing that could be read.'));
        }
      },
    );
  });
}
