// Carries out a script of tests/system in TypeScript, which runs whole installations.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './checkout.mjs';
import { prepareServices } from './services/services.mjs';
import { setUp } from './setup.mjs';

/** Resolves with its exit code; the project is built. */
export function runTestScript(script, args) {
  const file = join(root, 'tests', 'system', script);
  const child = spawn(process.execPath, ['--import', 'tsx', file, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, COLLIGATE_TEST_BUILT: '1' },
  });
  // Ctrl-C reaches both; this process stays until the other has cleaned up.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) =>
    child.on('error', reject).on('close', (code) => resolve(code ?? 1)),
  );
}

/** As this process's own work, once what it needs is there: build, Redis, PostgreSQL. */
export async function becomeTestScript(script) {
  await setUp();
  const { loadConfig } = createRequire(import.meta.url)(join(root, 'dist', 'config', 'config.js'));
  await prepareServices({ config: loadConfig(), say: (line) => process.stderr.write(`${line}\n`) });
  process.exitCode = await runTestScript(script, process.argv.slice(2));
}
