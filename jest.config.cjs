const { availableParallelism } = require('node:os');

/**
 * `npm test` has built the project, and tests what it has built: threads and processes that start from TypeScript sources compile
 * them first, two seconds each time.
 */
const BUILT = process.env.COLLIGATE_TEST_BUILT === '1';

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/tests/support/timed-environment.cjs',
  globalSetup: '<rootDir>/tests/support/shared-servers.cjs',
  globalTeardown: '<rootDir>/tests/support/end-shared-servers.cjs',
  setupFiles: ['<rootDir>/tests/support/seeded-properties.cjs'],
  roots: ['<rootDir>/tests'],
  testMatch: ['**/*.test.ts', ...(process.env.COLLIGATE_TEST_LONG === '1' ? ['**/*.long.ts'] : [])],
  transform: {
    '^.+\\.(m?[jt]s)$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
  // A dynamic import names the file as it is built.
  moduleNameMapper: {
    ...(BUILT ? { '^(?:\\.\\./){2,}src/(.*)$': '<rootDir>/dist/$1' } : {}),
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  // ESM-only packages (unified and its family), and one that imports Node's modules only when it needs them, go through the
  // same transform.
  transformIgnorePatterns: [
    '/node_modules/(?!(openid-client|oauth4webapi|jose|unified|marked|remark-.*|mdast-.*|micromark.*|unist-.*|bail|trough|vfile.*|is-plain-obj|devlop|decode-named-character-reference|character-entities|ccount|escape-string-regexp|markdown-table|longest-streak|zwitch|@opentelemetry/otlp-exporter-base)/)',
  ],
  // For what never ends; a machine that is slow fails nothing.
  testTimeout: 600_000,
  // Tests wait for servers as long as they compute.
  maxWorkers: 2 * availableParallelism(),
};
