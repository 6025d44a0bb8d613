import { Unreadable } from '../../../core/values/unreadable';
import type { JsonSchema } from '../../../core/shapes/json-schema';
import { schemaProblems } from './schema-problems';

/** Everything in which the arguments from outside do not fit, the whole of them: a schema for each, in their order. */
export function argumentProblems(schemas: readonly JsonSchema[], given: readonly unknown[]): string[] {
  return [
    ...schemas.flatMap((schema, index) => valueProblems(schema, given[index])),
    ...surplusProblems(schemas.length, given),
  ];
}

/** The same of one value. */
export function valueProblems(schema: JsonSchema, value: unknown, path = ''): string[] {
  return value instanceof Unreadable ? unreadableProblems(value) : schemaProblems(schema, value, path);
}

/** What is wrong with a value that could not be read, whatever is meant; nothing where it could. */
export function unreadableProblems(value: unknown): string[] {
  return value instanceof Unreadable ? [`it cannot be read (${value.reason})`] : [];
}

/** That more is given than is taken. */
export function surplusProblems(allowed: number, given: readonly unknown[]): string[] {
  if (given.length <= allowed) return [];
  return [`${argumentsOf(given.length)} given; allowed: ${argumentsOf(allowed)}`];
}

function argumentsOf(count: number): string {
  if (count === 0) return 'no argument';
  return count === 1 ? 'one argument' : `${count} arguments`;
}
