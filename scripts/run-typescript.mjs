import { createRequire } from 'node:module';
import { setUp } from './setup.mjs';

/** A script in TypeScript, carried out in this process once the checkout is ready: tsx comes with its packages. */
export async function runTypeScript(file) {
  await setUp();
  const require = createRequire(import.meta.url);
  require('tsx/cjs/api').register();
  return require(file);
}
