// `npm run golden [-- --update] [arguments of vitest]`: compares the golden runs with what is recorded, or records them.
import { spawn } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './checkout.mjs';

const startedAt = Date.now();
const args = process.argv.slice(2);
const rest = args.filter((arg) => arg !== '--update');
const isUpdate = rest.length < args.length;

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
spawn(process.execPath, [vitest, 'run', 'tests/golden', ...rest], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...(isUpdate ? { COLLIGATE_GOLDEN_UPDATE: '1' } : {}) },
}).on('close', (code) => {
  process.exitCode = code ?? 1;
  if (isUpdate && rest.length === 0 && code === 0) removeOlder();
});

/** A run that is gone leaves no files behind; where only some runs were recorded, the others stay. */
function removeOlder() {
  const recorded = join(root, 'tests', 'golden', 'recorded');
  for (const name of readdirSync(recorded))
    if (statSync(join(recorded, name)).mtimeMs < startedAt)
      rmSync(join(recorded, name), { recursive: true, force: true });
}
