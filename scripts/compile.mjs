// Compiles src into dist and bundles the workflows. A build that fails leaves the one before it in place.
import { chmodSync, cpSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root, run } from './checkout.mjs';
import { bundleWorkflows } from './workflow-bundle.mjs';

const next = join(root, 'dist.next');
const current = join(root, 'dist');
const previous = join(root, 'dist.previous');

/** `state` is the hash of the sources that is stamped on the build. */
export async function compile(state) {
  rmSync(next, { recursive: true, force: true });
  const typescript = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  await run(process.execPath, [typescript, '-p', 'tsconfig.build.json', '--outDir', next]);
  // What is read at run time and not imported: the encoder's weights and its vocabulary.
  cpSync(join(root, 'src', 'text', 'data'), join(next, 'text', 'data'), { recursive: true });
  writeFileSync(join(next, 'workflow-bundle.js'), await bundleWorkflows());
  const commandLine = join(next, 'cli', 'main.js');
  if (existsSync(commandLine)) chmodSync(commandLine, 0o755);
  writeFileSync(join(next, '.source-state'), state);

  rmSync(previous, { recursive: true, force: true });
  if (existsSync(current)) renameSync(current, previous);
  renameSync(next, current);
  rmSync(previous, { recursive: true, force: true });
}
