import { isRecord } from '../../../core/values/is-record';
import { nearestName } from '../../../core/values/nearest-name';
import { allowedText } from './allowed-text';
import { isOfType, meant, type JsonSchema } from './json-schema';

const VALUE_CHARS_SHOWN = 60;
const NAME_CHARS_SHOWN = 60;
/** Of more problems nobody reads, and each takes its time: a workflow task has a bounded amount to do. */
const MOST_PROBLEMS = 100;

/**
 * Everything in which a value from outside does not fit a schema, as sentences: where, what is there, and what is allowed.
 * A field that the schema does not name is a problem too: misspelt, it would be left out without a word. Behind a hundred
 * problems nothing more is looked for.
 */
export function schemaProblems(schema: JsonSchema, value: unknown, path = ''): string[] {
  const problems = problemsOf(schema, value, path);
  if (problems.length <= MOST_PROBLEMS) return problems;
  return [...problems.slice(0, MOST_PROBLEMS), 'and more of the kind'];
}

function problemsOf(schema: JsonSchema, value: unknown, path: string): string[] {
  const wrong = (): string[] => [problem(path, value, allowedText(schema))];
  if (value === undefined) return [`${named(path)} is missing; allowed: ${allowedText(schema)}`];
  if (schema.anyOf !== undefined) {
    const alternatives = meant(schema);
    if (schema.anyOf.some((alternative) => problemsOf(alternative, value, path).length === 0)) return [];
    const [only] = alternatives;
    // Where it is that or null, and something is given, what is wrong with that is told.
    return value !== null &&
      alternatives.length === 1 &&
      only !== undefined &&
      schema.description === undefined
      ? problemsOf(only, value, path)
      : wrong();
  }
  if (schema.const !== undefined) return value === schema.const ? [] : wrong();
  if (schema.enum !== undefined) return schema.enum.includes(value) ? [] : wrong();
  if (schema.type !== undefined && !isOfType(schema.type, value)) return wrong();
  if (typeof value === 'string') return isTextWithin(schema, value) ? [] : wrong();
  if (typeof value === 'number') return isNumberWithin(schema, value) ? [] : wrong();
  if (Array.isArray(value)) return listProblems(schema, value, path, wrong);
  return isRecord(value) ? objectProblems(schema, value, path) : [];
}

function listProblems(
  schema: JsonSchema,
  values: readonly unknown[],
  path: string,
  wrong: () => string[],
): string[] {
  const { minItems = 0, maxItems = Infinity, items } = schema;
  if (values.length < minItems || values.length > maxItems) return wrong();
  if (items === undefined) return [];
  const problems: string[] = [];
  for (const [index, value] of values.entries()) {
    if (problems.length > MOST_PROBLEMS) break;
    problems.push(...problemsOf(items, value, `${path}[${index}]`));
  }
  return problems;
}

function objectProblems(schema: JsonSchema, value: Record<string, unknown>, path: string): string[] {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const known = Object.keys(properties);
  const problems = required
    .filter((name) => value[name] === undefined)
    .flatMap((name) => problemsOf(properties[name] ?? {}, undefined, below(path, name)));
  for (const [name, given] of Object.entries(value)) {
    if (given === undefined) continue;
    if (problems.length > MOST_PROBLEMS) break;
    const at = below(path, name);
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property !== undefined) problems.push(...problemsOf(property, given, at));
    else if (typeof additionalProperties === 'object') {
      if (propertyNames !== undefined && problemsOf(propertyNames, name, '').length > 0)
        problems.push(`${at} has a name that is not allowed; allowed: ${allowedText(propertyNames)}`);
      problems.push(...problemsOf(additionalProperties, given, at));
    } else if (known.length > 0 || additionalProperties === false) {
      problems.push(unknownField(at, nearestName(shownName(name), known), known));
    }
  }
  return problems;
}

function unknownField(at: string, nearest: string | null, known: readonly string[]): string {
  return nearest === null
    ? `${at} is no field of the input; allowed: ${known.join(', ')}`
    : `${at} is no field of the input; "${nearest}" is meant, perhaps`;
}

function isTextWithin({ minLength = 0, maxLength = Infinity, pattern }: JsonSchema, text: string): boolean {
  if (text.length < minLength || text.length > maxLength) return false;
  return pattern === undefined || new RegExp(pattern, 'u').test(text);
}

function isNumberWithin(schema: JsonSchema, number: number): boolean {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = schema;
  return number >= minimum && number <= maximum && number > exclusiveMinimum && number < exclusiveMaximum;
}

function problem(path: string, value: unknown, allowed: string): string {
  // JSON has no number beyond all.
  const told = typeof value === 'number' ? String(value) : JSON.stringify(value);
  const shown = told.length > VALUE_CHARS_SHOWN ? `${told.slice(0, VALUE_CHARS_SHOWN)}…` : told;
  return `${named(path)} is ${shown}; allowed: ${allowed}`;
}

function named(path: string): string {
  return path === '' ? 'the input' : path;
}

function below(path: string, name: string): string {
  return path === '' ? shownName(name) : `${path}.${shownName(name)}`;
}

/** A name from outside may be as long as a text. */
function shownName(name: string): string {
  return name.length > NAME_CHARS_SHOWN ? `${name.slice(0, NAME_CHARS_SHOWN)}…` : name;
}
