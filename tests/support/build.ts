import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { waitingFor } from './time-spent';

const ROOT = path.resolve(__dirname, '../..');
/** Where the build lies: the command line, the workflows as one bundle, what threads load. */
export const BUILT = path.join(ROOT, 'dist');

/** What whoever starts tests without it has to do. */
export const GETS_SERVERS =
  '`npm test` gets what is missing before it starts; PATH and COLLIGATE_CACHE_DIR say where a server is looked for.';

/** Builds the project where its sources have changed since the last build; `npm test` has done so before it starts jest. */
export async function buildProject(): Promise<void> {
  if (process.env['COLLIGATE_TEST_BUILT'] === '1') return;
  const setUp = pathToFileURL(path.join(ROOT, 'scripts/setup.mjs')).href;
  await waitingFor('building', () =>
    promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { setUp } from '${setUp}'; await setUp();`,
    ]),
  );
}
