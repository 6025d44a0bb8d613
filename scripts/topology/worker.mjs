// A worker of Colligate.
import { join } from 'node:path';
import { root } from '../checkout.mjs';
import { untilReady } from './parts.mjs';

/** Resolves when it is ready, by its own word. */
export async function startWorker({ parts, folder, number, settings, cacheDir }) {
  const cwd = join(folder, `worker-${number}`);
  const part = parts.start(
    `worker ${number}`,
    process.execPath,
    [join(root, 'dist', 'cli', 'main.js'), 'worker', '--json'],
    {
      cwd,
      env: {
        ...settings.environment,
        COLLIGATE_DATA_DIR: join(cwd, 'data'),
        COLLIGATE_CACHE_DIR: cacheDir,
      },
      output: 'pipe',
    },
  );
  let said = '';
  part.child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  await untilReady(part, async () => {
    part.healthUrl ??= healthUrlIn(said);
    return part.healthUrl !== undefined && (await fetch(`${part.healthUrl}/readyz`)).ok;
  });
  return part;
}

function healthUrlIn(said) {
  try {
    return JSON.parse(said).healthUrl;
  } catch {
    return undefined; // not all of it has come yet
  }
}
