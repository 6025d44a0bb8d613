import { z } from 'zod';
import { distinctBy } from './iterables';
import { isRecord, toldValue } from './json';
import { allowedIn, allowedText, type JsonSchema, meant, type Unit } from './json-schema';

export type Shaped = readonly [name: string, schema: z.ZodType, value: unknown];

interface ShapeProblem {
  path: PropertyKey[];
  value: unknown;
  allowed: string;
  /** The schema's own message; null if `allowed` is derived from the schema. */
  ownWords: string | null;
  sentence: string;
}

export function shapeProblems(given: readonly Shaped[]): string[] {
  return given.flatMap(([name, schema, value]) =>
    problemsOfShape(schema, value, name).map(({ sentence }) => sentence),
  );
}

export function problemsOfShape(schema: z.ZodType, value: unknown, name = ''): ShapeProblem[] {
  const issues = schema.safeParse(value, { error: () => NO_WORDS }).error?.issues ?? [];
  const problems = issues.map((issue): ShapeProblem => {
    const { path, code, message } = issue;
    const found = path.reduce<unknown>(partOf, value);
    const ownWords = message === NO_WORDS ? null : message;
    const fits = schemaAt(jsonSchemaOf(schema), path);
    const allowed = ownWords ?? (fits === undefined ? 'what the contract has' : allowedText(fits));
    const isSize = Array.isArray(found) && (code === 'too_big' || code === 'too_small');
    const is = isSize
      ? `has ${found.length} items`
      : `is ${found === undefined ? 'missing' : toldValue(found)}`;
    const unknown =
      code === 'unrecognized_keys'
        ? `has no field called ${issue.keys.map((key) => toldValue(key)).join(', ')}`
        : null;
    return {
      path,
      value: found,
      allowed,
      ownWords,
      sentence: `${placeOf(name, path)} ${unknown ?? is}${ownWords === null ? '; allowed: ' : ': '}${allowed}`,
    };
  });
  // A number that is far too large also fails the integer check.
  return distinctBy(problems, ({ sentence }) => sentence);
}

export function allowedNumber(schema: z.ZodType, unit: Unit | null): string {
  const [number = {}] = meant(jsonSchemaOf(schema));
  return unit === null ? allowedText(number) : allowedIn(number, unit);
}

const NO_WORDS = 'no words';

function placeOf(name: string, path: readonly PropertyKey[]): string {
  const place = path.reduce<string>((at, part) => {
    if (typeof part === 'number') return `${at}[${part}]`;
    return at === '' ? String(part) : `${at}.${String(part)}`;
  }, name);
  return place === '' ? 'it' : place;
}

function partOf(value: unknown, part: PropertyKey): unknown {
  if (Array.isArray(value) && typeof part === 'number') return value[part];
  return isRecord(value) && Object.hasOwn(value, part) ? value[String(part)] : undefined;
}

const made = new WeakMap<z.ZodType, JsonSchema>();

/** JSON Schema of the input, before defaults. Types without a JSON form allow any value. */
function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const known = made.get(schema);
  if (known !== undefined) return known;
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  made.set(schema, json);
  return json;
}

function schemaAt(schema: JsonSchema, path: readonly PropertyKey[]): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>(
    (at, part) => (at === undefined ? undefined : schemaWithin(at, part)),
    schema,
  );
}

function schemaWithin(schema: JsonSchema, part: PropertyKey): JsonSchema | undefined {
  for (const { items, properties = {}, additionalProperties } of meant(schema)) {
    const field = Object.hasOwn(properties, part) ? properties[String(part)] : undefined;
    const entry = additionalProperties === false ? undefined : additionalProperties;
    const found = typeof part === 'number' ? items : (field ?? entry);
    if (found !== undefined) return found;
  }
  return undefined;
}
