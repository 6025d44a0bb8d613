import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { Unreadable } from '../../../../src/core/values/unreadable';
import { argumentProblems } from '../../../../src/workflows/run/input/argument-problems';
import type { JsonSchema } from '../../../../src/core/shapes/json-schema';
import { toldProblems } from '../../../../src/workflows/run/input/told-problems';

const SCHEMAS = join(__dirname, '../../../../src/contracts/schemas');
/** All that are published: what may be given, and what comes out. */
const PUBLISHED = readdirSync(SCHEMAS).map(
  (file) => [file, JSON.parse(readFileSync(join(SCHEMAS, file), 'utf8')) as JsonSchema] as const,
);
/** What can lie in an argument: values of JSON, numbers beyond them, bytes, and what could not be read. */
const ODD = [
  undefined,
  Number.POSITIVE_INFINITY,
  Number.NaN,
  new Uint8Array([1]),
  new Unreadable('no JSON', false),
];
const ANY = fc.oneof(fc.jsonValue(), fc.object({ withBigInt: false }), fc.constantFrom(...ODD));
const RUNS = { seed: 20_260_103, numRuns: 100 };

it.each(PUBLISHED)('whatever is given, what is wrong with it is told within bounds: %s', (_file, schema) => {
  fc.assert(
    fc.property(fc.array(ANY, { maxLength: 4 }), (given) => {
      const problems = argumentProblems([schema], given);
      expect(problems).not.toContain('');
      const told = toldProblems(problems);
      expect(told.join('; ').length).toBeLessThan(20_000);
      if (given.length > 1)
        expect(problems.at(-1)).toBe(`${given.length} arguments given; allowed: one argument`);
    }),
    RUNS,
  );
});

it.each(PUBLISHED)('fields by the thousand make a hundred problems at most: %s', (_file, schema) => {
  const field = (_: unknown, at: number): [string, number] => [`${'n'.repeat(500)}${at}`, at];
  const fields = Object.fromEntries(Array.from({ length: 5_000 }, field));
  const problems = argumentProblems([schema], [fields]);
  expect(problems.length).toBeLessThanOrEqual(102);
  const told = toldProblems(problems);
  expect(told.join('; ').length).toBeLessThan(20_000);
  if (told.length < problems.length)
    expect(told.at(-1)).toBe(`and ${problems.length - (told.length - 1)} more`);
});

it('what fits has no problem, and no argument is told as such', () => {
  const plain: JsonSchema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  expect(argumentProblems([plain], [{ id: 'a' }])).toEqual([]);
  expect(argumentProblems([], [])).toEqual([]);
  expect(argumentProblems([], [null])).toEqual(['one argument given; allowed: no argument']);
  expect(argumentProblems([plain], [])).toEqual(['the input is missing; allowed: an object with id']);
  const unreadable = argumentProblems([plain], [new Unreadable('no JSON', false)]);
  expect(unreadable).toEqual(['it cannot be read (no JSON)']);
});
