// `npm run golden [-- --update] [arguments of vitest]`: compares the golden runs with what is recorded, or records them.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './checkout.mjs';

const args = process.argv.slice(2);
const rest = args.filter((arg) => arg !== '--update');
const isUpdate = rest.length < args.length;

// A run that is gone leaves no files behind; where only some runs are recorded, the others stay.
if (isUpdate && rest.length === 0)
  rmSync(join(root, 'tests', 'golden', 'recorded'), { recursive: true, force: true });

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
spawn(process.execPath, [vitest, 'run', 'tests/golden', ...rest], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...(isUpdate ? { COLLIGATE_GOLDEN_UPDATE: '1' } : {}) },
}).on('close', (code) => (process.exitCode = code ?? 1));
