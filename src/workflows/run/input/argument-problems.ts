import { Unreadable } from '../../../temporal/payloads/unreadable';
import type { JsonSchema } from '../../../core/shapes/json-schema';
import { schemaProblems } from './schema-problems';

/** Deeper than anything that is asked for; what is nested without end cannot be told of, nor passed on. */
const MOST_LEVELS = 64;

/** Everything in which the arguments from outside do not fit, the whole of them: a schema for each, in their order. */
export function argumentProblems(schemas: readonly JsonSchema[], given: readonly unknown[]): string[] {
  const problems = schemas.flatMap((schema, index) => valueProblems(schema, given[index]));
  if (given.length <= schemas.length) return problems;
  return [...problems, `${argumentsOf(given.length)} given; allowed: ${argumentsOf(schemas.length)}`];
}

/** The same of one value. */
export function valueProblems(schema: JsonSchema, value: unknown, path = ''): string[] {
  if (value instanceof Unreadable) return [`it cannot be read (${value.reason})`];
  if (isNestedBeyond(value, MOST_LEVELS)) return [`it is nested more than ${MOST_LEVELS} levels deep`];
  return schemaProblems(schema, value, path);
}

function argumentsOf(count: number): string {
  if (count === 0) return 'no argument';
  return count === 1 ? 'one argument' : `${count} arguments`;
}

/** Level by level, because what is nested without end would end whoever calls himself for it. */
function isNestedBeyond(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth < levels && level.length > 0; depth += 1) {
    const below: unknown[] = [];
    for (const one of level) {
      if (typeof one !== 'object' || one === null || ArrayBuffer.isView(one)) continue;
      for (const part of Object.values(one)) if (typeof part === 'object') below.push(part);
    }
    level = below;
  }
  return level.length > 0;
}
