// `npm run build`: sets up what is missing and builds, whether or not the sources have changed. With `--if-changed`, as
// `npm pack` has it, only where they have.
import { parseArgs } from 'node:util';
import { setUp } from './setup.mjs';

try {
  const { values } = parseArgs({ options: { 'if-changed': { type: 'boolean', default: false } } });
  await setUp({ build: values['if-changed'] ? 'if-changed' : 'always' });
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
