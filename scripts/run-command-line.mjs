// The command line of a checkout, made ready where it is not.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './checkout.mjs';
import { setUp } from './setup.mjs';

/** Runs the command line in this process, so that signals, input and the exit code are its own. */
export async function runCommandLine(args) {
  try {
    await setUp();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
  const main = join(root, 'dist', 'cli', 'main.js');
  process.argv = [process.argv[0], main, ...args];
  await import(pathToFileURL(main).href);
}
