import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The folder itself and everything in it that somebody else than its owner may read, with its mode. */
export function openToOthers(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return [folder, ...names.map((name) => join(folder, name))]
    .map((path) => ({ path, status: statSync(path) }))
    .filter(({ status }) => (status.isFile() || status.isDirectory()) && (status.mode & 0o077) !== 0)
    .map(({ path, status }) => `${path} ${(status.mode & 0o777).toString(8)}`);
}
