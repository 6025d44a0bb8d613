/**
 * Whether tests are wanted in their long form: `npm test -- --long PATHS`, which also finds the files `*.long.ts`. CI wants it where what
 * they depend on has changed (`scripts/long-checks.mjs`).
 */
export const LONG = process.env['COLLIGATE_TEST_LONG'] === '1';

/** How many cases a test looks at: a few where it stands among all tests, and all in the long form. */
export const cases = (few: number, all: number): number => (LONG ? all : few);
