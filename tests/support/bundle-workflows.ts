import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BUILT } from './build';

/** The workflows as a worker has them, of the build: making the bundle takes as long as many a test. */
export async function bundleWorkflows(): Promise<{ code: string }> {
  return { code: readFileSync(path.join(BUILT, 'workflow-bundle.js'), 'utf8') };
}
