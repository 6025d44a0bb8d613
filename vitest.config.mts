import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));
const isLong = process.env['COLLIGATE_TEST_LONG'] === '1';
const isCI = process.env['CI'] === 'true';
/** Enough for a machine four times slower than two idle cores: a limit finds tests that hang, not slow machines. */
const TIMEOUT_MS = isLong ? 600_000 : 120_000;

export default defineConfig({
  // Tests import the build: child processes and threads need it anyway, and Node loads it once for all files of a process.
  resolve: { alias: [{ find: /^(?:\.\.\/)+src\//, replacement: `${root}dist/` }] },
  test: {
    globals: true,
    include: ['tests/**/*.test.ts', ...(isLong ? ['tests/**/*.long.ts'] : [])],
    globalSetup: ['tests/support/global-setup.ts'],
    setupFiles: ['tests/support/seeded-properties.ts'],
    pool: 'forks',
    isolate: false,
    // Half of the time of a test is waiting for servers.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    testTimeout: TIMEOUT_MS,
    // A hook installs the packed package.
    hookTimeout: Math.max(TIMEOUT_MS, 300_000),
    // The output of CI names each test that passed only at its second try.
    retry: isCI ? 1 : 0,
    server: { deps: { external: [/\/dist\/.*\.js$/] } },
  },
});
