import { z } from 'zod';
import { distinctBy } from './iterables';
import { formatValue, isRecord } from './json';
import { allowedRange, allowedText, type JsonSchema, nonNullAlternatives, type Unit } from './json-schema';

export type NamedValue = readonly [name: string, schema: z.ZodType, value: unknown];

interface SchemaProblem {
  path: PropertyKey[];
  value: unknown;
  allowed: string;
  /** The schema's own message; null if `allowed` is derived from the schema. */
  ownWords: string | null;
  sentence: string;
}

export function schemaProblemTexts(given: readonly NamedValue[]): string[] {
  return given.flatMap(([name, schema, value]) =>
    findSchemaProblems(schema, value, name).map(({ sentence }) => sentence),
  );
}

export function findSchemaProblems(schema: z.ZodType, value: unknown, name = ''): SchemaProblem[] {
  const issues = schema.safeParse(value, { error: () => NO_MESSAGE }).error?.issues ?? [];
  const problems = issues.map((issue): SchemaProblem => {
    const { path, code, message } = issue;
    const found = path.reduce<unknown>(valueAt, value);
    const ownWords = message === NO_MESSAGE ? null : message;
    const fits = schemaAt(jsonSchemaOf(schema), path);
    const allowed = ownWords ?? (fits === undefined ? 'what the contract has' : allowedText(fits));
    const isSize = Array.isArray(found) && (code === 'too_big' || code === 'too_small');
    const is = isSize
      ? `has ${found.length} items`
      : `is ${found === undefined ? 'missing' : formatValue(found)}`;
    const unknown =
      code === 'unrecognized_keys'
        ? `has no field called ${issue.keys.map((key) => formatValue(key)).join(', ')}`
        : null;
    return {
      path,
      value: found,
      allowed,
      ownWords,
      sentence: `${pathText(name, path)} ${unknown ?? is}${ownWords === null ? '; allowed: ' : ': '}${allowed}`,
    };
  });
  // A number that is far too large also fails the integer check.
  return distinctBy(problems, ({ sentence }) => sentence);
}

export function allowedNumber(schema: z.ZodType, unit: Unit | null): string {
  const [number = {}] = nonNullAlternatives(jsonSchemaOf(schema));
  return unit === null ? allowedText(number) : allowedRange(number, unit);
}

const NO_MESSAGE = 'no words';

function pathText(name: string, path: readonly PropertyKey[]): string {
  const place = path.reduce<string>((at, part) => {
    if (typeof part === 'number') return `${at}[${part}]`;
    return at === '' ? String(part) : `${at}.${String(part)}`;
  }, name);
  return place === '' ? 'it' : place;
}

function valueAt(value: unknown, part: PropertyKey): unknown {
  if (Array.isArray(value) && typeof part === 'number') return value[part];
  return isRecord(value) && Object.hasOwn(value, part) ? value[String(part)] : undefined;
}

const jsonSchemaCache = new WeakMap<z.ZodType, JsonSchema>();

/** JSON Schema of the input, before defaults. Types without a JSON form allow any value. */
function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const known = jsonSchemaCache.get(schema);
  if (known !== undefined) return known;
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  jsonSchemaCache.set(schema, json);
  return json;
}

function schemaAt(schema: JsonSchema, path: readonly PropertyKey[]): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>(
    (at, part) => (at === undefined ? undefined : schemaWithin(at, part)),
    schema,
  );
}

function schemaWithin(schema: JsonSchema, part: PropertyKey): JsonSchema | undefined {
  for (const { items, properties = {}, additionalProperties } of nonNullAlternatives(schema)) {
    const field = Object.hasOwn(properties, part) ? properties[String(part)] : undefined;
    const entry = additionalProperties === false ? undefined : additionalProperties;
    const found = typeof part === 'number' ? items : (field ?? entry);
    if (found !== undefined) return found;
  }
  return undefined;
}
