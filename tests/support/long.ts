/** Whether tests run in their long form: `npm run test:long`, which also runs the files `*.long.ts`. */
export const LONG = process.env['COLLIGATE_TEST_LONG'] === '1';

/** The number of cases to try: `few` in `npm test`, `all` in the long form. */
export const cases = (few: number, all: number): number => (LONG ? all : few);
