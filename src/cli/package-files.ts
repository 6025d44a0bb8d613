import { readFileSync } from 'node:fs';
import path from 'node:path';

/** From `dist/cli` and from `src/cli` alike. */
const PACKAGE_ROOT = path.resolve(__dirname, '../..');

export const EXAMPLES_DIR = path.join(PACKAGE_ROOT, 'examples');

export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(path.join(PACKAGE_ROOT, 'package.json'), 'utf8'));
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : undefined;
  return typeof version === 'string' ? version : 'unknown';
}

/** How the user calls the command line: installed by its name, in a checkout through npm. */
export const COMMAND = PACKAGE_ROOT.split(path.sep).includes('node_modules')
  ? 'colligate'
  : 'npm run -s colligate --';
