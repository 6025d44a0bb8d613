import path from 'node:path';

/** From `dist/cli` and from `src/cli` alike. */
const PACKAGE_ROOT = path.resolve(__dirname, '../..');

export const EXAMPLES_DIR = path.join(PACKAGE_ROOT, 'examples');

export const COMMAND = PACKAGE_ROOT.split(path.sep).includes('node_modules')
  ? 'colligate'
  : 'npm run -s colligate --';
