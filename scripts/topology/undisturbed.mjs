// The same report where there is one worker, files instead of Redis and PostgreSQL, the development server, and nobody disturbs it.
import { join } from 'node:path';
import { root } from '../checkout.mjs';
import { untilReady } from './parts.mjs';
import { startReport } from './report.mjs';

export async function undisturbedReport({ parts, folder, cacheDir, runId, asOf }) {
  const env = { COLLIGATE_DATA_DIR: join(folder, 'data'), COLLIGATE_CACHE_DIR: cacheDir };
  const dev = parts.start(
    'undisturbed',
    process.execPath,
    [join(root, 'dist', 'cli', 'main.js'), 'dev', '--json'],
    { cwd: folder, env, output: 'pipe' },
  );
  let isReady = false;
  dev.child.stdout.on('data', () => (isReady = true));
  await untilReady(dev, async () => isReady);
  const made = await startReport({ parts, folder, env, runId, asOf }).ended;
  await dev.end();
  return made;
}
