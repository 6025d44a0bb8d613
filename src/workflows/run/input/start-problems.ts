import { traitsOf } from '../../../contracts/run/engines';
import type { RunInput } from '../../../contracts/run/run-input';
import { Unreadable } from '../../../core/values/unreadable';
import { type JsonSchema, meant } from '../../../core/shapes/json-schema';
import { schemaProblems } from './schema-problems';
import { isRecord } from '../../../core/values/is-record';

export function startProblems({
  asOf,
  engine,
  models,
}: Pick<RunInput, 'engine' | 'models'> & { asOf: string }): string[] {
  const problems: string[] = [];
  if (Number.isNaN(Date.parse(asOf)))
    problems.push(`asOf is ${JSON.stringify(asOf)}; allowed: an ISO 8601 time, such as 2026-01-31T12:00:00Z`);
  if (traitsOf(engine).asksModels && (models ?? null) === null)
    problems.push(`models is missing; the ${engine} engine needs an object with fast, strong and critic`);
  return problems;
}

/** Everything in which the arguments from outside do not fit, the whole of them: a schema for each, in their order. */
export function argumentProblems(schemas: readonly JsonSchema[], given: readonly unknown[]): string[] {
  return [
    ...schemas.flatMap((schema, index) => valueProblems(schema, given[index])),
    ...surplusProblems(schemas.length, given),
  ];
}

export function valueProblems(schema: JsonSchema, value: unknown, path = ''): string[] {
  return value instanceof Unreadable ? unreadableProblems(value) : schemaProblems(schema, value, path);
}

export function unreadableProblems(value: unknown): string[] {
  return value instanceof Unreadable ? [`it cannot be read (${value.reason})`] : [];
}

export function surplusProblems(allowed: number, given: readonly unknown[]): string[] {
  if (given.length <= allowed) return [];
  return [`${argumentsOf(given.length)} given; allowed: ${argumentsOf(allowed)}`];
}

function argumentsOf(count: number): string {
  if (count === 0) return 'no argument';
  return count === 1 ? 'one argument' : `${count} arguments`;
}

/** A value that fits its schema, with the schema's defaults where nothing is given; what is given stays as it is. */
export function fillDefaults(schema: JsonSchema, value: unknown): unknown {
  const given = value === undefined ? schema.default : value;
  const [only, ...others] = meant(schema);
  if (only === undefined || others.length > 0) return given;
  if (Array.isArray(given)) {
    const { items } = only;
    return items === undefined ? [...(given as unknown[])] : given.map((item) => fillDefaults(items, item));
  }
  if (!isRecord(given)) return given;
  const filled: Record<string, unknown> = { ...given };
  for (const [name, property] of Object.entries(only.properties ?? {})) {
    const settled = fillDefaults(property, given[name]);
    if (settled !== undefined) filled[name] = settled;
  }
  return filled;
}

/** A failure is a part of the history, and is shown whole. */
const MOST_CHARS = 10_000;

/** The problems that are told, from the first on, and how many there are besides: whoever sent rubbish does not choose how much is said of it. */
export function toldProblems(problems: readonly string[]): string[] {
  const told: string[] = [];
  let chars = 0;
  for (const problem of problems) {
    chars += problem.length;
    if (told.length > 0 && chars > MOST_CHARS) return [...told, `and ${problems.length - told.length} more`];
    told.push(problem.slice(0, MOST_CHARS));
  }
  return told;
}
