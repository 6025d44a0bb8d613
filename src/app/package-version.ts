import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** From `dist/app` and from `src/app` alike. */
const MANIFEST = join(__dirname, '../../package.json');

/** The version of Colligate that runs; `unknown` where its package does not say. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : undefined;
  return typeof version === 'string' ? version : 'unknown';
}
