// `npm run build`: sets up what is missing and builds, whether or not the sources have changed.
import { setUp } from './setup.mjs';

try {
  await setUp({ build: 'always' });
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
