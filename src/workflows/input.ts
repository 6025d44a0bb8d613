import type { QueryDefinition, SignalDefinition, UpdateDefinition } from '@temporalio/common';
import {
  ApplicationFailure,
  ContinueAsNew,
  defineSignal,
  setHandler,
  TemporalFailure,
} from '@temporalio/workflow';
import { capabilitiesOf } from '../contracts/pipeline';
import type { RunInput } from '../contracts/run-input';
import { formatValue, isRecord, UnreadablePayload } from '../lib/json';
import { allowedText, isOfType, type JsonSchema, nonNullAlternatives } from '../lib/json-schema';
import { nearestName, withArticle } from '../lib/strings';
import { INVALID_INPUT, MESSAGE_REFUSED } from './messages';

// Validates the arguments of all messages; lint forbids `setHandler` elsewhere. No default signal handler is
// set, because it would fail the task for reserved signal names.

export const NO_ARGUMENTS: readonly JsonSchema[] = [];

export interface SignalListener {
  admit(): void;
  refused(reason: string): void;
}

/** Registers a signal handler. `mayBeBare` allows the signal without arguments. */
export function onSignal<Arguments extends unknown[]>(
  { name }: SignalDefinition<Arguments>,
  schemas: readonly JsonSchema[],
  door: SignalListener,
  take: (...given: Arguments) => void,
  { mayBeBare = false } = {},
): void {
  setHandler(defineSignal<unknown[]>(name), (...given: unknown[]) => {
    door.admit();
    const problems = mayBeBare && given.length === 0 ? [] : argumentProblems(schemas, given);
    if (problems.length > 0) door.refused(`A signal was refused: ${invalidArguments(name, problems)}`);
    else take(...(given as Arguments));
  });
}

export function onQuery<Answer>(definition: QueryDefinition<Answer>, answer: () => Answer): void {
  setHandler(definition, (...given: unknown[]) => {
    rejectInvalid(definition.name, NO_ARGUMENTS, given);
    return answer();
  });
}

/** Registers an update handler; `mayCome` throws to reject an update. */
export function onUpdate<Result, Arguments extends unknown[]>(
  definition: UpdateDefinition<Result, Arguments>,
  schemas: readonly JsonSchema[],
  take: (...given: Arguments) => Promise<Result>,
  mayCome: (...given: Arguments) => void = () => undefined,
): void {
  setHandler(definition, take, {
    validator: (...given: unknown[]) => {
      rejectInvalid(definition.name, schemas, given);
      mayCome(...(given as Arguments));
    },
  });
}

export function rejectedMessage(reason: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(reason, MESSAGE_REFUSED);
}

function rejectInvalid(name: string, schemas: readonly JsonSchema[], given: readonly unknown[]): void {
  const problems = argumentProblems(schemas, given);
  if (problems.length > 0) throw rejectedMessage(invalidArguments(name, problems));
}

function invalidArguments(name: string, problems: readonly string[]): string {
  return `${name} is not as it has to be: ${limitProblems(problems).join('; ')}.`;
}

export function inputProblems({
  asOf,
  engine,
  models,
}: Pick<RunInput, 'engine' | 'models'> & { asOf: string }): string[] {
  const problems: string[] = [];
  if (Number.isNaN(Date.parse(asOf)))
    problems.push(`asOf is ${JSON.stringify(asOf)}; allowed: an ISO 8601 time, such as 2026-01-31T12:00:00Z`);
  if (capabilitiesOf(engine).asksModels && (models ?? null) === null)
    problems.push(`models is missing; the ${engine} engine needs an object with fast, strong and critic`);
  return problems;
}

export function argumentProblems(schemas: readonly JsonSchema[], given: readonly unknown[]): string[] {
  return [
    ...schemas.flatMap((schema, index) => valueProblems(schema, given[index])),
    ...surplusProblems(schemas.length, given),
  ];
}

export function valueProblems(schema: JsonSchema, value: unknown, path = ''): string[] {
  return value instanceof UnreadablePayload ? unreadableProblems(value) : schemaProblems(schema, value, path);
}

export function unreadableProblems(value: unknown): string[] {
  return value instanceof UnreadablePayload ? [`it cannot be read (${value.reason})`] : [];
}

export function surplusProblems(allowed: number, given: readonly unknown[]): string[] {
  if (given.length <= allowed) return [];
  return [`${argumentCount(given.length)} given; allowed: ${argumentCount(allowed)}`];
}

function argumentCount(count: number): string {
  if (count === 0) return 'no argument';
  return count === 1 ? 'one argument' : `${count} arguments`;
}

export function fillDefaults(schema: JsonSchema, value: unknown): unknown {
  const given = value === undefined ? schema.default : value;
  const [only, ...others] = nonNullAlternatives(schema);
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

/** A failure is stored in the history and shown in full. */
const MAX_PROBLEM_CHARS = 10_000;

/** Shows the first problems and the number of the rest: the sender must not choose the length. */
export function limitProblems(problems: readonly string[]): string[] {
  const told: string[] = [];
  let chars = 0;
  for (const problem of problems) {
    chars += problem.length;
    if (told.length > 0 && chars > MAX_PROBLEM_CHARS)
      return [...told, `and ${problems.length - told.length} more`];
    told.push(problem.slice(0, MAX_PROBLEM_CHARS));
  }
  return told;
}

const MAX_NAME_CHARS = 60;
/** A workflow task has limited time. */
const MAX_PROBLEMS = 100;

/** Problems are sentences. Unknown fields are problems, because a misspelt field would be ignored. */
export function schemaProblems(schema: JsonSchema, value: unknown, path = ''): string[] {
  const problems = findProblems(schema, value, path);
  if (problems.length <= MAX_PROBLEMS) return problems;
  return [...problems.slice(0, MAX_PROBLEMS), 'and more of the kind'];
}

function findProblems(schema: JsonSchema, value: unknown, path: string): string[] {
  const wrong = (): string[] => [problemSentence(path, value, allowedText(schema))];
  if (value === undefined) return [`${displayPath(path)} is missing; allowed: ${allowedText(schema)}`];
  if (schema.anyOf !== undefined) {
    const alternatives = nonNullAlternatives(schema);
    if (schema.anyOf.some((alternative) => findProblems(alternative, value, path).length === 0)) return [];
    const [only] = alternatives;
    // For an optional object, problems of its fields say more than "object or null".
    return value !== null &&
      alternatives.length === 1 &&
      only !== undefined &&
      schema.description === undefined
      ? findProblems(only, value, path)
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
    if (problems.length > MAX_PROBLEMS) break;
    problems.push(...findProblems(items, value, `${path}[${index}]`));
  }
  return problems;
}

function objectProblems(schema: JsonSchema, value: Record<string, unknown>, path: string): string[] {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const known = Object.keys(properties);
  const problems = required
    .filter((name) => value[name] === undefined)
    .flatMap((name) => findProblems(properties[name] ?? {}, undefined, childPath(path, name)));
  for (const [name, given] of Object.entries(value)) {
    if (given === undefined) continue;
    if (problems.length > MAX_PROBLEMS) break;
    const at = childPath(path, name);
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property !== undefined) problems.push(...findProblems(property, given, at));
    else if (typeof additionalProperties === 'object') {
      if (propertyNames !== undefined && findProblems(propertyNames, name, '').length > 0)
        problems.push(`${at} has a name that is not allowed; allowed: ${allowedText(propertyNames)}`);
      problems.push(...findProblems(additionalProperties, given, at));
    } else if (known.length > 0 || additionalProperties === false) {
      problems.push(unknownFieldProblem(at, nearestName(truncateName(name), known), known));
    }
  }
  return problems;
}

function unknownFieldProblem(at: string, nearest: string | null, known: readonly string[]): string {
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

function problemSentence(path: string, value: unknown, allowed: string): string {
  return `${displayPath(path)} is ${formatValue(value)}; allowed: ${allowed}`;
}

function displayPath(path: string): string {
  return path === '' ? 'the input' : path;
}

function childPath(path: string, name: string): string {
  return path === '' ? truncateName(name) : `${path}.${truncateName(name)}`;
}

/** A name from outside can have any length. */
function truncateName(name: string): string {
  return name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS)}…` : name;
}

export function invalidInput(kind: string, found: readonly string[]): ApplicationFailure {
  const problems = limitProblems(found);
  return ApplicationFailure.create({
    message: `The input is not that of ${withArticle(kind)}: ${problems.join('; ')}`,
    type: INVALID_INPUT,
    nonRetryable: true,
    details: [{ problems }],
  });
}

export function isInvalidInput(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === INVALID_INPUT;
}

/** True for a bug such as a TypeError, which must fail the workflow task and not the run. */
export function isBug(error: unknown): boolean {
  return !(error instanceof TemporalFailure) && !(error instanceof ContinueAsNew);
}

/**
 * Fails the workflow task before wrong results become commands. The SDK does so for an unhandled rejection, whose reason has
 * to stay the error itself, of whatever type it is.
 */
export function failTask(error: unknown): Promise<never> {
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
  void Promise.reject(error);
  return new Promise(() => undefined);
}
